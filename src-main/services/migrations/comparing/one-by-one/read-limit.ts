/** Maximum number of records that a comparison reads one by one on each side, for notes and for changes alike. */
export const maxReadRecords = 2000;
/** Maximum number of pipelines whose jobs a comparison reads on each side. A project may have many more. */
export const maxReadPipelines = 500;
