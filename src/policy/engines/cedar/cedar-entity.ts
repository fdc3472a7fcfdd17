/** An entity in Cedar's JSON format. Declared here because the types of an optional package may be absent. */
export interface CedarEntity {
  uid: { type: string; id: string } | { __entity: { type: string; id: string } }
  attrs?: Readonly<Record<string, unknown>>
  parents?: readonly CedarEntity['uid'][]
  tags?: Readonly<Record<string, unknown>>
}
