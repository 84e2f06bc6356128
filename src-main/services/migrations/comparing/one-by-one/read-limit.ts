/** Maximum number of records that a comparison reads one by one on each side, for notes and for changes alike. */
export const maxReadRecords = 2000;
