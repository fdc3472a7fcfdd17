import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJsonWithComments } from '../../../foundation/json/parse-json-with-comments.js'
import type { ClientWorld } from './client.js'
import { appFolder } from './clients.js'

export interface FoundServers {
  file: string
  /** Of whom it is, such as "Cursor". */
  title: string
  /** It lies in the project: whoever made the project wrote it. */
  isProject: boolean
  servers: Record<string, Record<string, unknown>>
  /** Why nothing could be read. */
  problem?: string
}

/** The servers that other clients know already: those of the folder, and those of the user. */
export function findClientServers(folder: string, world: ClientWorld): FoundServers[] {
  const { home } = world
  const project = (name: string, title: string): FoundServers[] =>
    read(join(folder, name), title, { isProject: true })
  const own = (file: string, title: string): FoundServers[] => read(file, title, { isProject: false, folder })
  const found = [
    ...project('.mcp.json', 'the project'),
    ...project(join('.cursor', 'mcp.json'), 'Cursor, in this project'),
    ...project(join('.vscode', 'mcp.json'), 'VS Code, in this project'),
    ...own(join(appFolder(world, 'Claude'), 'claude_desktop_config.json'), 'Claude Desktop'),
    ...own(join(home, '.cursor', 'mcp.json'), 'Cursor'),
    ...own(join(home, '.claude.json'), 'Claude Code'),
  ]
  // In the home folder the files of the user are those of the folder too.
  return found.filter(({ file }, at) => found.findIndex((each) => each.file === file) === at)
}

function read(
  file: string,
  title: string,
  { isProject, folder }: { isProject: boolean; folder?: string },
): FoundServers[] {
  if (!existsSync(file)) return []
  const found = { file, title, isProject }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return [{ ...found, servers: {}, problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` }]
  }
  const value = parseJsonWithComments(text)
  if (!isObject(value)) return [{ ...found, servers: {}, problem: 'is not readable as JSON' }]
  // Claude Code keeps those of a folder in the user's file, under the folder's name.
  const projects = isObject(value['projects']) && folder !== undefined ? value['projects'][folder] : undefined
  const blocks = [
    value['mcpServers'],
    value['servers'],
    isObject(projects) ? projects['mcpServers'] : undefined,
  ]
  const servers = Object.fromEntries(
    blocks.filter(isObject).flatMap((block) => Object.entries(block).filter(isServer)),
  )
  return Object.keys(servers).length > 0 ? [{ ...found, servers }] : []
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isServer(member: [string, unknown]): member is [string, Record<string, unknown>] {
  const [, entry] = member
  return isObject(entry) && (typeof entry['command'] === 'string' || typeof entry['url'] === 'string')
}
