import { nearestWord } from '../../platform/config/nearest-word.js'
import type { CompiledFolder, CompiledTool } from './compiled.js'
import type { ToolFolderSettings, ToolSettings } from './folder-settings.js'

export interface CheckToolSettingsOptions {
  readonly entry: string
  readonly settings: NonNullable<ToolFolderSettings['tools']>
}

/** What is wrong with the settings of single tools, a sentence each. */
export function checkToolSettings(
  { tools, problems }: CompiledFolder,
  { entry, settings }: CheckToolSettingsOptions,
): string[] {
  const byId = new Map(tools.map((tool) => [tool.toolId, tool]))
  return Object.entries(settings).flatMap(([toolId, given]) => {
    const where = `The settings of "${toolId}" in the tool folder "${entry}"`
    const tool = byId.get(toolId)
    if (tool) return unusedSettings(tool, given).map((why) => `${where} ${why}`)
    // A file with errors reports them itself.
    if (problems.some(({ file, level }) => level === 'error' && file === `tools/${toolId}.tool.md`)) return []
    const near = nearestWord(toolId, byId.keys())
    const meant =
      near === undefined ? `add tools/${toolId}.tool.md or remove them.` : `did you mean "${near}"?`
    return [`${where} belong to no tool: ${meant}`]
  })
}

const OF_HUMANS = ['queue', 'reviewers', 'expiresMs', 'remindMs'] as const satisfies (keyof ToolSettings)[]

function unusedSettings({ type }: CompiledTool, settings: ToolSettings): string[] {
  const unused = [
    ...(type === 'retrieval' ? [] : (['cacheMs'] as const)),
    ...(type === 'human' ? [] : OF_HUMANS),
  ].filter((key) => settings[key] !== undefined)
  return unused.map((key) =>
    key === 'cacheMs'
      ? `have no effect: "cacheMs" is for tools of the type retrieval, and this one is ${type}.`
      : `have no effect: "${key}" is for tools of the type human, and this one is ${type}.`,
  )
}
