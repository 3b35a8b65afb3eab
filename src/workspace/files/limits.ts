// Limits for reading a possibly hostile repository; files beyond them are listed instead of read.

export const MAXIMUM_FILE_BYTES = 5 * 1024 * 1024;
/** For one file that is only an input of a rendering. */
export const MAXIMUM_INPUT_BYTES = 20 * 1024 * 1024;
/** Files read in one run. */
export const MAXIMUM_FILES = 100_000;
/** Entries of a folder outside Git, wanted or not. */
export const MAXIMUM_FOLDER_ENTRIES = 1_000_000;
export const MAXIMUM_TOTAL_BYTES = 512 * 1024 * 1024;
export const MAXIMUM_FOLDER_DEPTH = 100;
/** For one policy source, as transferred. */
export const MAXIMUM_DOWNLOAD_BYTES = 64 * 1024 * 1024;
/** For one policy source, uncompressed. */
export const MAXIMUM_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Entries of one archive. */
export const MAXIMUM_ARCHIVE_ENTRIES = 50_000;
/** For fetching one policy source. */
export const SOURCE_TIMEOUT_MILLISECONDS = 60_000;
