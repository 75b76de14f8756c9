//! Orders at any node, registers that move, nodes that die, are cut off and come again.

use std::time::Duration;

use reqwest::StatusCode;
use tillroll_testkit::Dice;

use super::cable::Cable;
use super::till::Till;
use super::world::{World, until};

const TILLS: u32 = 6;
const ORDERS: u32 = 240;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_ends_and_none_is_printed_twice() {
    let world = World::new().await;
    let cable = Cable::to(&world.server);
    let mut nodes = vec![world.node_over(&cable.url()).await];
    for _ in 1..3 {
        nodes.push(world.node().await);
    }
    let shop = world.shop().await;
    let mut dice = Dice::new(7);
    let mut tills = Vec::new();
    for t in 0..TILLS {
        let (register, printer) = (format!("R{t}"), format!("p{t}"));
        let credential = world.pair(&nodes[1], &shop, &register).await;
        let at = nodes[t as usize % 3].address;
        tills.push(Till::start(&register, &printer, &credential, &[at]));
        tills[t as usize].connected().await;
    }
    let mut taken = Vec::new();
    for n in 1..=ORDERS {
        match n {
            60 => nodes.remove(2).kill(),
            80 => nodes.push(world.node().await),
            120 => cable.cut(),
            180 => cable.mend(),
            _ => {}
        }
        let addresses: Vec<_> = nodes.iter().map(|node| node.address).collect();
        tills.iter().for_each(|till| till.knows(&addresses));
        if dice.per_mille(100) {
            let at = addresses[dice.below(addresses.len() as u64) as usize];
            tills[dice.below(u64::from(TILLS)) as usize].send_to(&[at]);
        }
        let node = addresses[dice.below(addresses.len() as u64) as usize];
        let printer = format!("p{}", n % TILLS);
        let sending = world.try_send(node, &shop, n, &printer, 30);
        let sent = tokio::time::timeout(Duration::from_millis(300), sending).await;
        if let Ok(Some((StatusCode::CREATED, _))) = sent {
            taken.push(n);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(taken.len() > ORDERS as usize / 2, "{}", taken.len());
    until("every order has ended", async || {
        let jobs = world.jobs(&shop).await;
        jobs.iter().all(|job| job["state"] == "printed").then_some(())
    })
    .await;
    for n in taken {
        assert_eq!(tills[(n % TILLS) as usize].papers(n), 1, "order {n}");
    }
    assert_eq!(tills.iter().map(Till::doubles).sum::<usize>(), 0);
}
