import type { PersistenceStrategy } from '../../contract/unions.js'
import { remember } from '../../platform/json/remember.js'
import { eachSubschema } from '../../platform/validation/each-subschema.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import type { PipelinePorts } from '../ports.js'
import { wantsTool } from '../hooks/hooks-for.js'

/** Strategies with which a caller gets the data of a result, or a preview in place of its texts. */
const GIVING: readonly (PersistenceStrategy | undefined)[] = [
  undefined,
  'preview_and_persist',
  'inline',
  'never_persist',
]

/**
 * Whether callers may get a tool's results without their data, because the tool, the surface, the crib or a hook says
 * so, or with masks in place of numbers, because a number is a secret here.
 */
export function mayWithhold(
  tool: CatalogTool,
  { results }: Pick<SurfaceRequest, 'results'>,
  ports: Pick<PipelinePorts, 'hooks' | 'results' | 'liveSecrets'>,
): boolean {
  const { persistence } = tool.draft.output
  return (
    !GIVING.includes(persistence) ||
    !GIVING.includes(results?.persistence ?? ports.results.persistence) ||
    ports.hooks.some((hook) => hook.event === 'result_persistence' && wantsTool(hook, tool)) ||
    (hasSecretNumbers(tool.draft, ports) && givesNumbers(tool.draft))
  )
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A secret in a caller's arguments may come back in the result. */
function hasSecretNumbers(
  { input }: ToolDraft,
  { liveSecrets }: Pick<PipelinePorts, 'liveSecrets'>,
): boolean {
  return input.sensitiveFields.length > 0 || liveSecrets.list.some((secret) => NUMBER.test(secret))
}

const givesNumbers = remember(({ output }: ToolDraft): boolean => {
  let found = false
  try {
    eachSubschema(output.schema ?? {}, ({ type }) => {
      const types: readonly unknown[] = Array.isArray(type) ? type : [type]
      if (types.some((each) => each === 'number' || each === 'integer')) found = true
    })
  } catch {
    // An invalid schema says nothing about numbers.
  }
  return found
})
