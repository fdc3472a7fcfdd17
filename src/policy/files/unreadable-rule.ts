/** The text of the deny that stands for a whole file that cannot be read. No written rule can have it. */
export const UNREADABLE = '* (the file cannot be read)'
