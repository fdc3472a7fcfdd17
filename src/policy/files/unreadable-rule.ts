/** The text of the deny that stands for a whole file which cannot be read. No rule that somebody wrote can be it. */
export const UNREADABLE = '* (the file cannot be read)'
