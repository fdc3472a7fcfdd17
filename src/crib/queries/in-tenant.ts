/** Whose records; absent: the crib's own tenant. */
export interface InTenant {
  tenant?: string
}
