import { chmodSync, lstatSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolder } from '../../../platform/config/state-folder.js'
import { makeFolder } from '../../../platform/files/make-folder.js'

/** The longest address of a socket that every system supports. */
const MAX_PATH_BYTES = 103

/** In the user's own data folder, whatever the config: never in a project, which other users may read. */
export function socketFolder(): string {
  return join(stateFolder({ env: process.env, platform: process.platform, home: homedir() }), 'gateways')
}

/** Named pipes of Windows have other access rules: there is no socket there. */
export function hasSockets(): boolean {
  return process.platform !== 'win32'
}

export function fitsAddress(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES
}

/** Creates the folder so that no other user can read it. Returns whether it is such a folder now. */
export function prepareSocketFolder(folder: string): boolean {
  makeFolder(folder, { mode: 0o700 })
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || !isMine(stat)) return false
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  return true
}

/** Whether only this user can have created it, and only this user can open it: for the folder and for the socket. */
export function isPrivateSocket(folder: string, path: string): boolean {
  try {
    const [inside, socket] = [lstatSync(folder), lstatSync(path)]
    const isClosed = [inside, socket].every((stat) => isMine(stat) && (stat.mode & 0o077) === 0)
    return isClosed && inside.isDirectory() && socket.isSocket()
  } catch {
    return false
  }
}

function isMine({ uid }: Stats): boolean {
  return uid === process.getuid?.()
}
