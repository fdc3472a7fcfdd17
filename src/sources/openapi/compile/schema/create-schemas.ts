import type { JsonSchema } from '../../../../contract/json-schema.js'
import type { Located, References, Target } from '../../document/references.js'
import { closeSchema, cyclicKeys, PLACEHOLDER, type ReferredSchema } from './close-schema.js'
import { convertSchema, type ConvertOptions } from './convert-schema.js'
import { createHiddenMembers } from './hidden-members.js'
import { createPolymorphism } from './polymorphism.js'

/** A schema with placeholders for what it refers to. */
export interface OpenSchema extends ReferredSchema {
  /** About the number of characters of its JSON. */
  readonly size: number
}

export interface Schemas {
  convert(part: Located, variant: SchemaVariant): OpenSchema
  /** Puts in what a schema refers to: shared and cyclic parts as `$defs`, the others in their place. */
  close(open: OpenSchema, variant: ClosingVariant): JsonSchema
  /** Whether the schema is that small with everything that it refers to. */
  isWithin(open: OpenSchema, variant: ClosingVariant): boolean
}

export interface SchemaVariant {
  readonly use: ConvertOptions['use']
  /** Without descriptions and titles. */
  readonly isBare: boolean
  /** Whether bytes may be given as files. */
  readonly hasFiles?: boolean | undefined
}

export interface ClosingVariant extends Omit<SchemaVariant, 'hasFiles'> {
  /** The most characters that may be put in; parts that are further away are left open. */
  readonly maxSize: number
}

/** A shared part that is shorter than a reference to it is repeated. */
const SHORT = 60
/** References of references that are followed. */
const MAX_LEVELS = 30
/** About what the name of a definition takes. */
const DEFINITION = 30

interface Referred {
  readonly target: Target
  readonly isBranch: boolean
  readonly hasFiles: boolean
}

export interface SchemasOptions {
  readonly references: References
  readonly dialect: string
  readonly root: Located
}

export function createSchemas({ references, dialect, root }: SchemasOptions): Schemas {
  const polymorphism = createPolymorphism({ references, root })
  const hidden = {
    input: createHiddenMembers({ references, use: 'input' }),
    output: createHiddenMembers({ references, use: 'output' }),
  }
  const referred = new Map<string, Referred>()
  /** By key and variant: most parts are used by many operations. */
  const converted = new Map<string, OpenSchema>()

  function convert(
    part: Located,
    { use, isBare, hasFiles = false, isBranch = false }: SchemaVariant & { isBranch?: boolean },
  ): OpenSchema {
    const found: string[] = []
    const inPlace: string[] = []
    const { schema, hasGaps } = convertSchema(part, {
      references,
      polymorphism,
      hidden: hidden[use],
      dialect,
      use,
      isBare,
      hasFiles,
      isBranch,
      placeholderFor(target, how) {
        // A part reads differently as a branch of `allOf`, and where bytes can be files.
        const key = `${how.isBranch ? 'branch ' : ''}${hasFiles ? 'files ' : ''}${target.key}`
        if (!referred.has(key)) referred.set(key, { target, isBranch: how.isBranch, hasFiles })
        found.push(key)
        if (how.isInPlace) inPlace.push(key)
        return PLACEHOLDER + key
      },
    })
    return openSchema(schema, { references: found, inPlace, hasGaps })
  }

  function targetOf(key: string, { use, isBare }: Pick<SchemaVariant, 'use' | 'isBare'>): OpenSchema {
    const name = `${use} ${isBare} ${key}`
    let known = converted.get(name)
    if (!known) {
      const { target, isBranch, hasFiles } = referred.get(key)!
      converted.set(name, (known = convert(target, { use, isBare, hasFiles, isBranch })))
    }
    return known
  }

  /** Everything that a schema refers to, nearest first, as far as there is room; and how often each is referred to. */
  function reach(open: OpenSchema, variant: ClosingVariant): Reached {
    const uses = new Map<string, number>()
    const kept = new Map<string, OpenSchema>()
    let size = open.size
    let isWhole = size <= variant.maxSize
    let level = [open]
    for (let levels = 0; level.length > 0; levels++) {
      const hasRoom = levels < MAX_LEVELS
      const next: OpenSchema[] = []
      for (const { references: keys } of level)
        for (const key of keys) {
          const before = uses.get(key) ?? 0
          uses.set(key, before + 1)
          if (before > 0) {
            const repeated = kept.get(key)?.size ?? 0
            if (repeated <= SHORT) size += repeated
            continue
          }
          const target = hasRoom && size <= variant.maxSize ? targetOf(key, variant) : undefined
          if (!target || size + target.size > variant.maxSize) {
            isWhole = false
            continue
          }
          size += target.size + DEFINITION
          kept.set(key, target)
          next.push(target)
        }
      level = next
    }
    return { uses, kept, isWhole }
  }

  return {
    convert,
    isWithin: (open, variant) => reach(open, variant).isWhole,
    close(open, variant) {
      if (open.references.length === 0 && !open.hasGaps) return open.schema
      const { uses, kept } = reach(open, variant)
      const cyclic = cyclicKeys(open, kept)
      return closeSchema(open, {
        kept,
        isShared: (key) => cyclic.has(key) || (uses.get(key)! > 1 && kept.get(key)!.size > SHORT),
      })
    },
  }
}

interface Reached {
  readonly uses: ReadonlyMap<string, number>
  readonly kept: ReadonlyMap<string, OpenSchema>
  readonly isWhole: boolean
}

/** A schema that is made of others, each with its placeholders. */
export function joinSchemas(schema: JsonSchema, parts: readonly OpenSchema[]): OpenSchema {
  return openSchema(schema, {
    references: parts.flatMap(({ references }) => references),
    inPlace: [],
    hasGaps: parts.some(({ hasGaps }) => hasGaps),
  })
}

function openSchema(
  schema: JsonSchema,
  { references, inPlace, hasGaps }: Pick<OpenSchema, 'references' | 'inPlace' | 'hasGaps'>,
): OpenSchema {
  const text = JSON.stringify(schema)
  let size = text.length
  // With `#/$defs/Name` for each placeholder: a schema does not depend on where its document lies.
  for (const key of references) size += Math.min(64, key.length - key.lastIndexOf('/')) + 2 - key.length
  return { schema, references, inPlace, hasGaps, size, isSealed: text.includes('"unevaluated') }
}
