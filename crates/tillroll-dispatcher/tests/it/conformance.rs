//! What every engine of `DispatcherStore` does, one function for each behaviour.
//!
//! [`suite!`] makes a test of each for an engine: its argument is an async function that opens a
//! new, empty store.

pub mod accounts;
pub mod books;
pub mod changes;
pub mod counters;
pub mod due;
pub mod hooks;
pub mod jobs;
pub mod pairing;
pub mod pay_tokens;
pub mod printers;
pub mod promotions;
pub mod records;
pub mod refusals;
pub mod repair;
pub mod retention;
pub mod same_sale;
pub mod sharing;
pub mod splits;
pub mod world;

/// The suite for the engine that the given function opens.
macro_rules! suite {
    ($open:path) => {
        crate::conformance::suite! { $open;
            accounts {
                names_are_taken_once,
                key_uses_the_stores_of_its_tenant_only,
                revoked_key_is_unknown_and_its_name_is_free,
                number_that_does_not_exist_is_refused,
            }
            pairing {
                code_pairs_once_and_makes_the_credential_known,
                code_of_another_store_or_register_is_refused_and_stays_usable,
                code_is_refused_from_its_end_on,
                newer_code_ends_the_older_one,
                replacement_machine_ends_the_earlier_credential,
                revoked_register_is_unknown_until_it_is_paired_again,
                drift_of_a_clock_is_the_newest_measured,
            }
            promotions {
                promotion_is_the_one_begun_last_until_it_is_ended,
            }
            pay_tokens {
                token_is_issued_once_for_a_request,
                hundred_issues_at_once_are_one_token,
                of_hundred_consumers_at_once_one_wins,
                consumer_that_asks_again_has_won_still,
                token_cannot_be_consumed_from_its_end_on,
                result_is_stored_once_by_whoever_consumed,
                what_a_crash_left_consumed_is_finished_by_its_consumer,
                token_of_another_register_or_store_does_not_exist,
            }
            printers {
                name_belongs_to_the_register_that_announced_it_first,
                name_left_out_of_an_announcement_is_free,
                route_is_that_of_the_lowest_register_with_the_printer,
                revoked_register_frees_its_printers,
            }
            jobs {
                new_job_is_scheduled_and_due_at_once,
                same_id_with_the_same_body_is_a_replay,
                same_id_with_another_body_conflicts_and_changes_nothing,
                hundred_copies_at_once_store_one_job,
                stores_with_the_same_code_do_not_meet,
                job_of_an_unknown_store_or_key_is_refused,
                list_is_newest_first_and_pages_by_key,
                jobs_by_key_keep_the_order_and_leave_out_the_missing,
                open_jobs_are_counted_by_state,
                unconfirmed_jobs_are_counted_since_an_instant,
            }
            changes {
                change_is_written_against_its_version_only,
                stale_and_missing_rows_do_not_stop_the_others,
                of_two_changes_to_one_version_one_wins,
                every_field_of_a_change_is_read_back,
                state_change_alone_moves_changed_at,
            }
            due {
                due_are_pushes_and_deadlines_before_the_instant,
                final_job_has_no_deadline,
                due_jobs_page_by_key_over_all_stores,
                deadlines_of_a_stretch_come_in_their_order_and_page,
                waiting_are_scheduled_parked_and_held_for_the_return,
                at_a_register_are_pushed_accepted_and_being_canceled,
                nothing_is_due_early_by_rounding,
            }
            hooks {
                each_end_is_told_once_and_a_late_one_again,
                key_without_hook_or_revoked_gets_nothing,
                delivery_is_tried_again_then_given_up,
                given_up_deliveries_are_listed_newest_first,
                deliveries_come_due_longest_first,
            }
            records {
                each_record_gets_its_verdict_in_order,
                lost_answer_is_replayed_and_counts_once,
                hundred_copies_of_a_batch_at_once_count_once,
                same_id_with_another_body_is_refused_and_kept_apart,
                fates_are_in_the_order_asked,
                high_water_never_goes_down,
                replacement_machine_replays_what_the_old_one_sent,
            }
            refusals {
                refused_record_in_the_middle_stops_no_other,
                followers_of_a_refused_receipt_are_parked,
                accepted_receipt_frees_its_followers,
                record_of_another_store_looks_unknown_and_counts_nowhere,
                repeated_refusal_counts_once,
                refused_records_are_listed_newest_first_until_they_are_taken,
            }
            same_sale {
                same_number_from_two_registers_is_shown_and_never_overwritten,
                same_sale_in_a_new_epoch_is_in_the_books_once,
                same_id_with_other_takings_in_a_new_epoch_is_refused,
                flow_number_given_twice_is_refused,
            }
            books {
                day_sums_sales_refunds_and_tenders,
                paper_counts_by_the_newest_word,
                paper_before_its_receipt_counts_when_that_comes,
                copies_and_trust_do_not_count_as_paper,
                store_day_has_every_register_and_the_jobs_taken,
                counters_equal_a_recount_whatever_came,
            }
            repair {
                digests_equal_a_recount,
                digests_know_accepted_records_only,
                hours_of_another_register_are_not_told,
            }
            counters {
                sale_and_refund_change_stock_figures_and_flow_together,
                same_request_gets_the_stored_answer_and_counts_once,
                same_id_with_another_change_conflicts_and_changes_nothing,
                copies_in_one_batch_and_at_once_count_once,
                short_stock_changes_nothing_and_names_each_sku,
                figure_that_would_overflow_is_refused,
                stock_is_set_and_adjusted_once_for_each_id,
                stores_count_apart_and_unknown_ones_are_refused,
                crowd_gets_flow_numbers_without_gaps_and_sums_that_hold,
                day_counted_anew_is_the_same_day,
            }
            splits {
                versions_of_a_table_follow_each_other_and_never_change,
                split_is_made_once_for_an_id,
                hundred_copies_of_a_request_make_one_split,
                refunds_never_take_more_than_was_given,
                refunds_at_once_share_what_is_left,
                change_is_made_from_its_version_and_recorded,
                due_split_is_claimed_by_one,
                split_whose_time_is_over_goes_to_a_person,
                waiting_splits_can_be_made_due,
                splits_are_listed_newest_first_by_state,
                day_adds_up_by_state,
            }
            sharing {
                sale_is_prepared_and_confirmed_with_its_record,
                hundred_copies_of_a_record_make_one_split,
                refund_is_due_once_its_original_is_paid,
                refund_of_a_canceled_original_is_taken_back_with_it,
                split_that_cannot_be_divided_is_refused_and_its_receipt_is_not,
                split_waits_behind_a_refused_receipt,
                split_that_a_business_system_prepared_is_confirmed,
                store_says_whether_its_registers_share,
            }
            retention {
                bodies_of_ended_jobs_go_and_ids_stay,
                body_of_a_job_to_be_held_at_return_stays,
                settled_deliveries_go_within_the_limit,
            }
        }
    };
    ($open:path; $($module:ident { $($behaviour:ident),* $(,)? })*) => {
        $(mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                let world = crate::conformance::world::World::new($open().await).await;
                crate::conformance::$module::$behaviour(&world).await;
            })*
        })*
    };
}
pub(crate) use suite;
