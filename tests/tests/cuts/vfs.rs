//! SQLite's file layer of the operating system with a [`Disk`] looking on: calls on files in a folder that
//! has a disk are told to it first, and fail when it says so. Everything else is passed on as it is. Syncs
//! are not passed on: the disk keeps what they make durable.
#![expect(unsafe_code, reason = "a file layer is a table of C functions")]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use rusqlite::ffi;

use crate::disk::{Call, Disk, Trouble};

/// The layer's name, for the options of a database.
pub const NAME: &str = "tillroll-cuts";

static DISKS: Mutex<BTreeMap<PathBuf, Arc<Mutex<Disk>>>> = Mutex::new(BTreeMap::new());
static REGISTERED: Once = Once::new();

/// A disk under a folder, until it is dropped.
pub struct Mounted {
    folder: PathBuf,
    disk: Arc<Mutex<Disk>>,
}

impl Mounted {
    pub fn new(folder: &Path, disk: Disk) -> Self {
        REGISTERED.call_once(register);
        let disk = Arc::new(Mutex::new(disk));
        lock(&DISKS).insert(folder.to_owned(), Arc::clone(&disk));
        Self { folder: folder.to_owned(), disk }
    }

    pub fn disk(&self) -> MutexGuard<'_, Disk> {
        lock(&self.disk)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        lock(&DISKS).remove(&self.folder);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open file: ours in front, the system's behind it in the same piece of memory.
#[repr(C)]
struct OpenFile {
    base: ffi::sqlite3_file,
    /// Null for files without a disk.
    watched: *mut Watched,
}

struct Watched {
    disk: Arc<Mutex<Disk>>,
    inode: u64,
}

impl Watched {
    fn call(&self, call: &Call<'_>) -> Result<(), Trouble> {
        lock(&self.disk).call(self.inode, call)
    }
}

fn register() {
    let name = CString::new(NAME).unwrap();
    // SAFETY: the system's layer lives as long as SQLite; ours is a copy of it that is never freed.
    unsafe {
        let system = *ffi::sqlite3_vfs_find(std::ptr::null());
        let ours = Box::leak(Box::new(system));
        ours.szOsFile += c_int::try_from(size_of::<OpenFile>()).unwrap();
        ours.zName = name.into_raw();
        ours.xOpen = Some(open);
        ours.xDelete = Some(delete);
        assert_eq!(ffi::sqlite3_vfs_register(ours, 0), ffi::SQLITE_OK);
    }
}

/// The layer of the operating system.
unsafe fn system() -> *mut ffi::sqlite3_vfs {
    // SAFETY: "unix" is always there on the systems the suites run on.
    unsafe { ffi::sqlite3_vfs_find(c"unix".as_ptr()) }
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives `szOsFile` bytes at `file`, and a name that ends in a zero or none.
    unsafe {
        let ours = file.cast::<OpenFile>();
        (*ours).base.pMethods = std::ptr::null();
        (*ours).watched = std::ptr::null_mut();
        let path = path(name);
        let is_new = path.is_some_and(|path| !path.exists());
        let opened = ((*system()).xOpen.unwrap())(system(), name, inner(file), flags, out_flags);
        if opened == ffi::SQLITE_OK {
            (*ours).base.pMethods = &raw const METHODS;
            (*ours).watched = path.map_or(std::ptr::null_mut(), |path| watch(path, is_new));
        }
        opened
    }
}

/// A file's path; none for temporary files.
unsafe fn path<'a>(name: *const c_char) -> Option<&'a Path> {
    // SAFETY: SQLite's names end in a zero and live as long as the call.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })?;
    name.to_str().ok().map(Path::new)
}

fn disk_under(path: &Path) -> Option<Arc<Mutex<Disk>>> {
    lock(&DISKS).get(path.parent()?).cloned()
}

fn watch(path: &Path, is_new: bool) -> *mut Watched {
    let Some(disk) = disk_under(path) else { return std::ptr::null_mut() };
    let inode = lock(&disk).opened(path, is_new);
    inode.map_or(std::ptr::null_mut(), |inode| Box::into_raw(Box::new(Watched { disk, inode })))
}

unsafe extern "C" fn delete(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_folder: c_int,
) -> c_int {
    // SAFETY: SQLite gives a name that ends in a zero.
    unsafe {
        if let Some(path) = path(name)
            && let Some(disk) = disk_under(path)
        {
            lock(&disk).deleted(path, sync_folder != 0);
        }
        ((*system()).xDelete.unwrap())(system(), name, 0)
    }
}

/// The system's file behind ours.
unsafe fn inner(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: `register` asked for room for both.
    unsafe { file.cast::<OpenFile>().add(1).cast() }
}

/// Tells the disk of a call.
unsafe fn told(file: *mut ffi::sqlite3_file, call: &Call<'_>) -> Result<(), Trouble> {
    // SAFETY: `open` set `watched` to null or to a box that `close` frees.
    let watched = unsafe { (*file.cast::<OpenFile>()).watched.as_ref() };
    watched.map_or(Ok(()), |watched| watched.call(call))
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: the last call on a file; the box came from `watch`.
    unsafe {
        let watched = (*file.cast::<OpenFile>()).watched;
        if !watched.is_null() {
            drop(Box::from_raw(watched));
        }
        methods(file).xClose.unwrap()(inner(file))
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    count: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite gives `count` bytes.
    unsafe {
        let written = std::slice::from_raw_parts(bytes.cast::<u8>(), count.unsigned_abs() as usize);
        match told(file, &Call::Write { offset: offset.unsigned_abs(), bytes: written }) {
            Ok(()) => methods(file).xWrite.unwrap()(inner(file), bytes, count, offset),
            Err(Trouble::Broken) => ffi::SQLITE_IOERR_WRITE,
            Err(Trouble::Full) => ffi::SQLITE_FULL,
        }
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
    // SAFETY: as for `write`.
    unsafe {
        match told(file, &Call::Truncate(length.unsigned_abs())) {
            Ok(()) => methods(file).xTruncate.unwrap()(inner(file), length),
            Err(_) => ffi::SQLITE_IOERR_TRUNCATE,
        }
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: as for `write`.
    unsafe {
        let is_watched = !(*file.cast::<OpenFile>()).watched.is_null();
        match told(file, &Call::Sync) {
            Ok(()) if is_watched => ffi::SQLITE_OK,
            Ok(()) => methods(file).xSync.unwrap()(inner(file), flags),
            Err(_) => ffi::SQLITE_IOERR_FSYNC,
        }
    }
}

/// The functions of the system's file.
unsafe fn methods<'a>(file: *mut ffi::sqlite3_file) -> &'a ffi::sqlite3_io_methods {
    // SAFETY: set by the system's `xOpen`, for as long as the file is open.
    unsafe { &*(*inner(file)).pMethods }
}

/// Functions that are passed on as they are.
macro_rules! passed_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) $(-> $answer:ty)?;)*) => {$(
        unsafe extern "C" fn $name(file: *mut ffi::sqlite3_file, $($argument: $kind),*) $(-> $answer)? {
            // SAFETY: SQLite's own arguments for the system's own file.
            unsafe { methods(file).$method.unwrap()(inner(file), $($argument),*) }
        }
    )*};
}

passed_on! {
    read = xRead(bytes: *mut c_void, count: c_int, offset: i64) -> c_int;
    size = xFileSize(size: *mut i64) -> c_int;
    lock_file = xLock(level: c_int) -> c_int;
    unlock_file = xUnlock(level: c_int) -> c_int;
    check_lock = xCheckReservedLock(is_locked: *mut c_int) -> c_int;
    control = xFileControl(code: c_int, argument: *mut c_void) -> c_int;
    sector_size = xSectorSize() -> c_int;
    characteristics = xDeviceCharacteristics() -> c_int;
    map_memory = xShmMap(page: c_int, size: c_int, extend: c_int, at: *mut *mut c_void) -> c_int;
    lock_memory = xShmLock(offset: c_int, count: c_int, flags: c_int) -> c_int;
    order_memory = xShmBarrier();
    unmap_memory = xShmUnmap(delete: c_int) -> c_int;
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    // 2: shared memory, and no memory map of the file itself.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(size),
    xLock: Some(lock_file),
    xUnlock: Some(unlock_file),
    xCheckReservedLock: Some(check_lock),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(map_memory),
    xShmLock: Some(lock_memory),
    xShmBarrier: Some(order_memory),
    xShmUnmap: Some(unmap_memory),
    xFetch: None,
    xUnfetch: None,
};
