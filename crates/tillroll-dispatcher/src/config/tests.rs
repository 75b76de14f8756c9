use std::path::PathBuf;

use super::*;

fn load(text: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dispatcher.toml");
    std::fs::write(&file, text).unwrap();
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Config::load(Some(&file), environment.iter().map(pair))
}

#[test]
fn printed_defaults_are_the_defaults() {
    assert_eq!(toml::from_str::<Config>(DEFAULT).unwrap(), Config::default());
    let keys = |text: &str| {
        let table: toml::Table = toml::from_str(text).unwrap();
        let inner = |value: &toml::Value| value.as_table().map_or(1, toml::Table::len);
        table.iter().map(|(key, value)| (key.clone(), inner(value))).collect::<Vec<_>>()
    };
    assert_eq!(keys(DEFAULT), keys(&toml::to_string(&Config::default()).unwrap()));
    assert_eq!(Config::default().check(), Ok(()));
}

#[test]
fn figures_of_the_parts_are_their_own_defaults() {
    let config = Config::default();
    assert_eq!(config.schedule(), ScheduleSettings::default());
    assert_eq!(config.http(), HttpSettings::default());
    assert_eq!(config.hooks(), HookSettings::default());
    assert_eq!(config.rates(), Rates::default());
}

#[test]
fn push_cap_at_the_deadline_is_refused_by_its_key() {
    let text = load("[schedule]\npush_cap_s = 90\n", &[]).unwrap_err().to_string();
    assert_eq!(text, "schedule.push_cap_s: must be below the deadline");
}

#[test]
fn unknown_key_is_named_with_its_line() {
    let text = load("[schedule]\npush_cap = 30\n", &[]).unwrap_err().to_string();
    assert!(text.contains("push_cap") && text.contains("line 2"), "{text}");
}

#[test]
fn variable_wins_over_the_file() {
    let environment = [
        ("TILLROLL_DISPATCHER_LISTEN", "127.0.0.1:1"),
        ("TILLROLL_DISPATCHER_SCHEDULE_PUSH_CAP_S", "20"),
        ("TILLROLL_DISPATCHER_DATA", "/srv"),
        ("PATH", "/bin"),
    ];
    let config = load("[schedule]\npush_cap_s = 40\nwindow = 70\n", &environment).unwrap();
    assert_eq!((config.schedule.push_cap_s, config.schedule.window), (20, 70));
    assert_eq!(config.listen.port(), 1);
}

#[test]
fn unknown_or_wrong_variable_is_named() {
    let refused = |name, value| load("", &[(name, value)]).unwrap_err().to_string();
    let unknown = refused("TILLROLL_DISPATCHER_PUSH_CAP", "1");
    assert!(unknown.starts_with("TILLROLL_DISPATCHER_PUSH_CAP is no setting"), "{unknown}");
    let wrong = refused("TILLROLL_DISPATCHER_RETENTION_DAYS", "many");
    assert_eq!(wrong, "TILLROLL_DISPATCHER_RETENTION_DAYS: must be a whole number");
    let address = refused("TILLROLL_DISPATCHER_LISTEN", "nowhere");
    assert!(address.contains("socket address"), "{address}");
}

#[test]
fn listening_beyond_this_machine_needs_a_proxy_that_speaks_tls() {
    let text = load("listen = \"0.0.0.0:9320\"\n", &[]).unwrap_err().to_string();
    assert!(text.starts_with("listen: must be a loopback address"), "{text}");
    load("listen = \"0.0.0.0:9320\"\nbehind_tls_proxy = true\n", &[]).unwrap();
}

#[test]
fn missing_file_is_named() {
    let missing = PathBuf::from("/nowhere/dispatcher.toml");
    let error = Config::load(Some(&missing), std::iter::empty()).unwrap_err();
    assert!(error.to_string().contains("/nowhere/dispatcher.toml"), "{error}");
}
