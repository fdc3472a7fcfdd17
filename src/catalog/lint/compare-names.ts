import { toolIdOf } from '../catalog-tool.js'
import type { ToolDraft } from '../tool-draft.js'
import type { LintFinding } from './finding.js'
import { isOneEditApart, nameSkeleton } from './name-skeleton.js'
import { nativeName } from './tool-texts.js'
import { writeOut } from './write-out.js'

/** Shorter names differ by one letter by chance: `get` and `set`. */
const SHORTEST_EDITED = 7

/** Names that hosts give their own tools; models may confuse other tools of the name with them. */
const BUILTIN_WORDS = new Set(['Read', 'Write', 'Edit', 'Task', 'Bash', 'LS'])
const BUILTIN = new Set(
  'bash glob grep webfetch websearch web_search web_fetch todowrite notebookedit multiedit str_replace_editor str_replace_based_edit_tool code_interpreter file_search computer_use apply_patch run_terminal_cmd run_shell_command codebase_search exec_command'.split(
    ' ',
  ),
)

interface Named {
  readonly toolId: string
  readonly namespace: string
  readonly name: string
  readonly isForeign: boolean
}

/** Findings about names: equal, nearly equal, or that of a tool that every model knows. */
export function compareNames(drafts: readonly ToolDraft[]): LintFinding[] {
  const tools = drafts.map((draft): Named => {
    const { namespace, kind } = draft
    return { toolId: toolIdOf(draft), namespace, name: nativeName(draft), isForeign: kind !== 'function' }
  })
  return [...builtinNames(tools), ...sharedNames(tools), ...lookAlikes(tools), ...nearNames(tools)]
}

function builtinNames(tools: readonly Named[]): LintFinding[] {
  return tools
    .filter(
      ({ name, isForeign }) => isForeign && (BUILTIN_WORDS.has(name) || BUILTIN.has(name.toLowerCase())),
    )
    .map(({ toolId, name }) => ({
      toolId,
      rule: 'builtin_name',
      severity: 'warning',
      message: `It is called "${writeOut(name)}", as tools are that many hosts have built in.`,
      place: 'name',
    }))
}

function sharedNames(tools: readonly Named[]): LintFinding[] {
  return groupsOf(tools, ({ name }) => name).flatMap((group) => {
    if (new Set(group.map(({ namespace }) => namespace)).size < 2) return []
    return group.map((tool) => ({
      toolId: tool.toolId,
      rule: 'shadowed_name',
      severity: 'warning',
      message: `${othersThan(tool, group)} has the same name: only the full name is unique.`,
      place: 'name',
    }))
  })
}

function lookAlikes(tools: readonly Named[]): LintFinding[] {
  return groupsOf(tools, ({ name }) => nameSkeleton(name)).flatMap((group) =>
    group.flatMap((tool) => {
      const others = group.filter(({ name }) => name !== tool.name)
      if (others.length === 0) return []
      return {
        toolId: tool.toolId,
        rule: 'look_alike_name',
        severity: isDisguised(tool, others) ? 'error' : 'warning',
        message: `Its name "${writeOut(tool.name)}" looks like that of ${writeOut(others[0]!.toolId)}.`,
        place: 'name',
      }
    }),
  )
}

/** Written with letters of other scripts, not only with other dashes and capitals. */
function isDisguised({ name }: Named, others: readonly Named[]): boolean {
  // oxlint-disable-next-line no-control-regex
  return [name, ...others.map((other) => other.name)].some((each) => /[^\u0000-\u007F]/.test(each))
}

/** Across servers only: tools of one server often have similar names. */
function nearNames(tools: readonly Named[]): LintFinding[] {
  const byPiece = new Map<string, Named[]>()
  for (const tool of tools) {
    if (tool.name.length < SHORTEST_EDITED) continue
    for (const piece of piecesOf(tool.name)) {
      const group = byPiece.get(piece)
      if (group) group.push(tool)
      else byPiece.set(piece, [tool])
    }
  }
  const found = new Map<string, LintFinding>()
  for (const group of byPiece.values()) {
    for (const tool of group) {
      const near = group.find(
        ({ namespace, name }) => namespace !== tool.namespace && isOneEditApart(tool.name, name),
      )
      if (!near || nameSkeleton(near.name) === nameSkeleton(tool.name)) continue
      found.set(tool.toolId, {
        toolId: tool.toolId,
        rule: 'look_alike_name',
        severity: 'warning',
        message: `Its name is one letter apart from that of ${writeOut(near.toolId)}.`,
        place: 'name',
      })
    }
  }
  return [...found.values()]
}

/** The name and its variants without one letter: names that are one edit apart share a variant. */
function piecesOf(name: string): Set<string> {
  const pieces = new Set([name])
  for (let at = 0; at < Math.min(name.length, 128); at++) pieces.add(name.slice(0, at) + name.slice(at + 1))
  return pieces
}

function othersThan({ toolId }: Named, group: readonly Named[]): string {
  const others = group.filter((other) => other.toolId !== toolId)
  const first = writeOut(others[0]?.toolId ?? '')
  return others.length > 1 ? `${first} (and ${others.length - 1} more)` : first
}

function groupsOf(tools: readonly Named[], keyOf: (tool: Named) => string): Named[][] {
  const groups = new Map<string, Named[]>()
  for (const tool of tools) {
    const key = keyOf(tool)
    const group = groups.get(key)
    if (group) group.push(tool)
    else groups.set(key, [tool])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}
