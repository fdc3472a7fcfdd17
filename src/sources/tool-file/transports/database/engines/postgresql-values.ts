import { isOfCode, type Column } from '../session.js'

export interface PgField {
  readonly name: string
  readonly dataTypeID: number
}

/** The types of the library, by the numbers of the catalog pg_type. */
export interface PgTypes {
  getTypeParser(oid: number, format?: string): (text: string) => unknown
  readonly builtins: Readonly<Record<string, number>>
}

/**
 * Numbers, booleans and texts are sent as texts, and the server finds the type by where they stand. An array of plain
 * values is an array of PostgreSQL (`= ANY(:ids)`); other arrays and objects are JSON texts.
 */
export function toBound(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || isOfCode(value)) return value
  const isPlainArray =
    Array.isArray(value) && value.every((each) => each === null || typeof each !== 'object')
  return isPlainArray ? value : JSON.stringify(value)
}

/** By the numbers of the catalog pg_type, which never change. */
const BIGINT = 20
const NUMERIC = 1700
const TEXT_ARRAY = 1009
const asTime = (text: string): string => text.replace(' ', 'T')
/** `2024-01-31 10:00:00.5+00` */
const asZonedTime = (text: string): string => {
  const [, time = '', zone = ''] = /^(.*?)([+-]\d{2}(?::\d{2})*)?$/.exec(text) ?? []
  return asTime(time) + (zone === '+00' ? 'Z' : zone.length === 3 ? `${zone}:00` : zone)
}
const asIs = (text: string): string => text
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BIGINT]: asIs,
  [NUMERIC]: asIs,
  1082: asIs,
  1083: asIs,
  1114: asTime,
  1184: asZonedTime,
  1186: asIs,
  1266: asIs,
}
/** Arrays of the types above. */
const ELEMENTS: Readonly<Record<number, number>> = {
  1016: BIGINT,
  1231: NUMERIC,
  1182: 1082,
  1183: 1083,
  1115: 1114,
  1185: 1184,
  1187: 1186,
  1270: 1266,
}

/** Dates as the database writes them: the objects of the library are in the time zone of this process. */
export function parserOf(types: PgTypes, oid: number, format?: string): (text: string) => unknown {
  const element = ELEMENTS[oid]
  if (element !== undefined && format !== 'binary')
    return (text) =>
      (types.getTypeParser(TEXT_ARRAY)(text) as (string | null)[]).map((each) =>
        each === null ? null : PARSERS[element]!(each),
      )
  return (format === 'binary' ? undefined : PARSERS[oid]) ?? types.getTypeParser(oid, format)
}

/** The library has no names for them. */
const ARRAYS: Readonly<Record<number, string>> = {
  1000: 'bool[]',
  1005: 'int2[]',
  1007: 'int4[]',
  1009: 'text[]',
  1015: 'varchar[]',
  1016: 'int8[]',
  1021: 'float4[]',
  1022: 'float8[]',
  1115: 'timestamp[]',
  1182: 'date[]',
  1185: 'timestamptz[]',
  1231: 'numeric[]',
  2951: 'uuid[]',
  3807: 'jsonb[]',
}

export function columnOf(types: PgTypes, { name, dataTypeID }: PgField): Column {
  const builtin = Object.entries(types.builtins).find(([, oid]) => oid === dataTypeID)?.[0]
  const known = builtin ?? ARRAYS[dataTypeID]
  return {
    name,
    type: known?.toLowerCase() ?? `oid ${dataTypeID}`,
    ...((dataTypeID === BIGINT || dataTypeID === NUMERIC) && { isNumber: true }),
  }
}
