//! Sales and refunds that a register tells of: prepared and confirmed in the transaction of their record.

use tillroll_sqlite::rusqlite::Connection;

use super::{change, find, prepare};
use crate::splits::{NewSplit, Prepared, Split};
use crate::sqlite::fault::Fault;
use crate::store::fact::Refused;

/// Shares a sale or refund, once: what is known of its id is confirmed at most.
pub(in crate::sqlite) fn share(
    db: &Connection,
    new: &NewSplit,
) -> Result<Result<(), Refused>, Fault> {
    let split = match prepare(db, new)? {
        Prepared::New(split) | Prepared::Replayed(split) => split,
        Prepared::Refused(error) => return Ok(Err(error.into())),
        Prepared::Conflict { .. } => {
            let known = find(db, new.store, &new.id)?;
            let known = known.ok_or(Fault::Refused("the split is gone"))?;
            if let Err(refused) = new.check_same_money(&known) {
                return Ok(Err(refused));
            }
            known
        }
    };
    confirm(db, &split, new).map(Ok)
}

fn confirm(db: &Connection, split: &Split, new: &NewSplit) -> Result<(), Fault> {
    if !split.is_unconfirmed() {
        return Ok(());
    }
    let original = split.of.as_ref().map(|of| find(db, new.store, of)).transpose()?.flatten();
    let change = split.confirmed(original.as_ref(), new.now).map_err(Fault::unreadable)?;
    change::apply(db, &change).map(drop)
}
