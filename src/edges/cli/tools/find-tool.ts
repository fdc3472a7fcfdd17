import { ownCommand } from '../../../platform/text/own-command.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { Catalog } from '../../../catalog/catalog.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { findServedTool } from './find-served-tool.js'
import { usageProblem } from '../program/usage-problem.js'

/** The tool of a name, resolved by the catalog. */
export function findTool(catalog: Catalog, name: string): CatalogTool {
  const resolved = catalog.resolve(name)
  if (resolved && 'found' in resolved) return resolved.found
  if (resolved && 'ambiguous' in resolved) {
    const ids = resolved.ambiguous.map(({ toolId }) => toolId)
    throw usageProblem(`"${name}" is the name of several tools; say one of ${ids.join(', ')}.`)
  }
  const served = findServedTool(catalog.list(), name)
  if (served) return served
  const near = nearestWord(
    name,
    catalog.list().flatMap(({ toolId, draft }) => [toolId, draft.name]),
  )
  throw usageProblem(
    `There is no tool "${name}"; ${near ? `did you mean "${near}"?` : `"${ownCommand('tools')}" lists what is there.`}`,
  )
}
