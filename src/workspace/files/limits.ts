// How much of a hostile repository is read before the rest is listed instead.

export const MAXIMUM_FILE_BYTES = 5 * 1024 * 1024;
/** Of one file that is only read to render something. */
export const MAXIMUM_INPUT_BYTES = 20 * 1024 * 1024;
/** Files read in one run. */
export const MAXIMUM_FILES = 100_000;
/** Names met in a folder outside Git, wanted or not. */
export const MAXIMUM_FOLDER_ENTRIES = 1_000_000;
export const MAXIMUM_TOTAL_BYTES = 512 * 1024 * 1024;
export const MAXIMUM_FOLDER_DEPTH = 100;
/** Of one policy source as it comes over the network. */
export const MAXIMUM_DOWNLOAD_BYTES = 64 * 1024 * 1024;
/** Of one policy source without its compression. */
export const MAXIMUM_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Names in one archive. */
export const MAXIMUM_ARCHIVE_ENTRIES = 50_000;
/** Until a policy source is there. */
export const SOURCE_TIMEOUT_MILLISECONDS = 60_000;
