import { chmodSync, lstatSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolder } from '../../../platform/config/state-folder.js'
import { makeFolder } from '../../../platform/files/make-folder.js'

/** What the system has room for in the address of a socket, on every system that has them. */
const MAX_PATH_BYTES = 103

/** In the user's own data folder, whatever the config: never in a project, which others may get to see. */
export function socketFolder(): string {
  return join(stateFolder({ env: process.env, platform: process.platform, home: homedir() }), 'gateways')
}

/** Named pipes of Windows have other rules about who may open them: there is no socket there. */
export function hasSockets(): boolean {
  return process.platform !== 'win32'
}

export function fitsAddress(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES
}

/** Makes the folder so that nobody else can look into it. Says whether it is one now. */
export function prepareSocketFolder(folder: string): boolean {
  makeFolder(folder, { mode: 0o700 })
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || !isMine(stat)) return false
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  return true
}

/** Whether only this user can have put it there, and only this user can open it: both the folder and the socket. */
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
