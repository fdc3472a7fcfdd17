/** An entity as Cedar's JSON form has it. Written out here: the types of an optional package are not everybody's. */
export interface CedarEntity {
  uid: { type: string; id: string } | { __entity: { type: string; id: string } }
  attrs?: Readonly<Record<string, unknown>>
  parents?: readonly CedarEntity['uid'][]
  tags?: Readonly<Record<string, unknown>>
}
