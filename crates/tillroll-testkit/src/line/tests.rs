use tokio::time::{Instant, timeout};

use super::*;

const S: Duration = Duration::from_secs(1);

fn line(weather: Weather) -> Line {
    Line::new(Dice::new(7), weather)
}

async fn next<T>(receiver: &mut mpsc::Receiver<T>) -> Option<T> {
    timeout(60 * S, receiver.recv()).await.unwrap()
}

/// Sends numbers one after the other and collects what arrives, with the time of the last.
async fn numbers_over(line: &Line) -> (Vec<u32>, Duration) {
    let began = Instant::now();
    let (sender, mut receiver) = line.dial().await.unwrap().carry(Way::Up);
    tokio::spawn(async move {
        for number in 0..200 {
            sender.send(number).await.unwrap();
        }
    });
    let mut arrived = Vec::new();
    while let Some(number) = next(&mut receiver).await {
        arrived.push(number);
    }
    (arrived, began.elapsed())
}

#[tokio::test(start_paused = true)]
async fn messages_arrive_in_order_and_an_orderly_end_behind_them() {
    let (arrived, took) = numbers_over(&line(Weather::calm())).await;
    assert_eq!(arrived, (0..200).collect::<Vec<_>>());
    assert!(took < S / 5, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn lost_and_repeated_messages_cost_time_and_come_again_but_in_order() {
    let weather = Weather { lost: 150, twice: 100, ..Weather::calm() };
    let (arrived, took) = numbers_over(&line(weather)).await;
    assert!(arrived.is_sorted());
    assert!(arrived.len() > 200, "{}", arrived.len());
    assert!(took > S / 5, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn same_seed_gives_the_same_times() {
    let weather = || Weather { lost: 150, late: 20, late_by: S..5 * S, ..Weather::calm() };
    assert_eq!(numbers_over(&line(weather())).await, numbers_over(&line(weather())).await);
}

#[tokio::test(start_paused = true)]
async fn silent_cut_is_noticed_by_each_end_in_its_time_and_swallows_what_is_sent_meanwhile() {
    let line = line(Weather::calm());
    let call = line.dial().await.unwrap();
    let (sender, mut receiver) = call.carry(Way::Up);
    sender.send(1).await.unwrap();
    assert_eq!(next(&mut receiver).await, Some(1));
    let began = Instant::now();
    line.cut(Noticed { device: 3 * S, cloud: 9 * S });
    call.broken().await;
    sender.send(2).await.unwrap();
    timeout(60 * S, sender.closed()).await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 3);
    assert_eq!(next(&mut receiver).await, None);
    assert_eq!(began.elapsed().as_secs(), 9);
}

#[tokio::test(start_paused = true)]
async fn line_that_is_down_takes_no_call_until_it_is_restored() {
    let line = line(Weather::calm());
    line.cut(Noticed::default());
    assert_eq!(line.dial().await.unwrap_err(), Broken);
    line.restore();
    let call = line.dial().await.unwrap();
    line.break_calls(Noticed::default());
    assert_eq!(call.pass().await, Err(Broken));
    assert!(line.dial().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn slow_line_takes_its_time() {
    let line = line(Weather::calm());
    line.slow_by(3 * S);
    let began = Instant::now();
    line.dial().await.unwrap();
    assert!(began.elapsed() >= 6 * S);
}
