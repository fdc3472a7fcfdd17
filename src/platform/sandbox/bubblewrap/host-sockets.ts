import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The Unix sockets of this machine that have a file. Sockets without one are bound to a network namespace, and cannot be
 * reached from another.
 */
export function hostSockets(): string[] {
  const relative = new Map<string, string>()
  const paths = new Set<string>()
  for (const { inode, path } of boundSockets()) {
    if (path.startsWith('/')) paths.add(path)
    else if (!path.startsWith('@')) relative.set(inode, path)
  }
  for (const path of relative.size > 0 ? resolveNames(relative) : []) paths.add(path)
  return [...paths].filter(isSocket)
}

function boundSockets(): { inode: string; path: string }[] {
  return readText('/proc/net/unix')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      // Num RefCount Protocol Flags Type St Inode Path; the path may have spaces.
      const [, inode, path] = /^(?:\S+\s+){6}(\d+) (.+)$/.exec(line) ?? []
      return inode === undefined || path === undefined ? [] : [{ inode, path }]
    })
}

/** A socket that was bound to a relative name is in a folder in which a process that holds it was: mostly it still is. */
function resolveNames(names: ReadonlyMap<string, string>): string[] {
  return listFolder('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const cwd = readLink(`/proc/${pid}/cwd`)
    if (cwd === undefined) return []
    return listFolder(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`) ?? '')?.[1]
      const name = inode === undefined ? undefined : names.get(inode)
      return name === undefined ? [] : [resolve(cwd, name)]
    })
  })
}

export function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    // It has gone, or is in a folder that this user cannot enter.
    return false
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
