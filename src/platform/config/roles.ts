/** What a caller of the server may do. */
export const roles = [
  'caller', // calls the tools of its surface, and sees its own calls
  'reviewer', // answers approvals, and reads the records
  'operator', // reads everything; changes sources, rules, the config and tokens; cancels and deletes
  'auditor', // reads everything, and changes nothing
] as const
export type Role = (typeof roles)[number]
