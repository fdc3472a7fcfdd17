import type { CompiledOperation } from '../../../src/sources/openapi/compiled.js'

export interface DescribedOperation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly isRequired: boolean }[]
  readonly hasSwaggerBody: boolean
  readonly mediaTypes: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

export function describedOperations(document: object): DescribedOperation[]
export function lacking(described: DescribedOperation, compiled: CompiledOperation | undefined): string[]
