//! The commands the pages may call, one file a subject. Each takes its arguments, asks the facade, and
//! answers; the one list of them is here.

mod app;
mod clients;
mod cloud;
mod day;
mod jobs;
mod manager;
mod printers;

use tauri::{Builder, Runtime};

/// The builder with every command.
pub fn on<R: Runtime>(builder: Builder<R>) -> Builder<R> {
    builder.invoke_handler(tauri::generate_handler![
        app::app_state,
        app::set_up,
        app::quit,
        manager::unlock_manager,
        manager::lock_manager,
        manager::set_manager_pin,
        manager::settings,
        manager::change_settings,
        printers::printers,
        printers::add_printer,
        printers::change_printer,
        printers::remove_printer,
        printers::probe_printer,
        printers::test_printer,
        printers::pause_printer,
        printers::open_drawer,
        printers::discover_printers,
        printers::profiles,
        printers::routes,
        printers::set_routes,
        jobs::jobs,
        jobs::job,
        jobs::job_paper,
        jobs::todo,
        jobs::answer_job,
        jobs::answer_jobs,
        jobs::answer_rejected,
        jobs::read_notice,
        day::day,
        day::hours,
        day::declare_pos_totals,
        day::move_cash,
        day::close_day,
        day::export_day,
        day::splits,
        day::answer_split,
        cloud::cloud,
        cloud::pair_cloud,
        cloud::unpair_cloud,
        cloud::retry_cloud,
        cloud::answer_records,
        clients::clients,
        clients::make_client,
        clients::revoke_client,
    ])
}
