import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import { usageProblem } from '../program/usage-problem.js'
import type { Client, ClientEnvironment } from './client.js'
import { clients } from './clients.js'

export function findClient(id: string): Client {
  const found = clients.find((client) => client.id === id.toLowerCase())
  if (found) return found
  const ids = clients.map((client) => client.id)
  const near = nearestWord(id, ids)
  throw usageProblem(
    `There is no client "${id}"; ${near ? `did you mean "${near}"?` : `known are ${ids.join(', ')}.`}`,
  )
}

export const clientEnvironment = (): ClientEnvironment => ({
  home: homedir(),
  platform: process.platform,
  env: process.env,
})

/** The file of the user that the client reads: the first that exists, otherwise the usual one. */
export function clientFile(client: Client): string {
  const files = client.files(clientEnvironment())
  return files.find((file) => existsSync(file)) ?? files[0]!
}

export function homePath(file: string): string {
  const path = relative(homedir(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : join('~', path)
}
