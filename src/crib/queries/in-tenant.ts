/** The tenant of the records; absent: the crib's own. */
export interface InTenant {
  tenant?: string
}
