import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SandboxLimits, SandboxViolation } from './sandbox.js'

/** A control group for the processes of one program: its limits apply to all of them together. */
export interface Cgroup {
  /** A process that writes its id into these files, and everything that it starts, belongs to the group. */
  readonly joinFiles: readonly string[]
  violations(): SandboxViolation[]
  /** Removes it, soon after its processes have ended. */
  remove(): void
}

type Controller = 'pids' | 'memory'

const ROOT = '/sys/fs/cgroup'
let count = 0

/** Creates a group with the limits; undefined where there are none to set, or this user may create no groups. */
export function createCgroup({ processes, memoryMb }: SandboxLimits): Cgroup | undefined {
  const wanted: [Controller, string, number | undefined][] = [
    ['pids', 'pids.max', processes],
    ['memory', 'memory.max', memoryMb === undefined ? undefined : memoryMb * 1024 * 1024],
  ]
  const folders = new Set<string>()
  const name = `toolcrib-${process.pid}-${++count}`
  try {
    for (const [controller, file, value] of wanted) {
      if (value === undefined) continue
      const folder = folderFor(controller, name)
      if (folder === undefined) continue
      folders.add(folder)
      const path = join(folder, file)
      // The first version has another name for it.
      writeFileSync(existsSync(path) ? path : join(folder, 'memory.limit_in_bytes'), String(value))
    }
  } catch {
    for (const folder of folders) removeFolder(folder)
    return undefined
  }
  if (folders.size === 0) return undefined
  return {
    joinFiles: [...folders].map((folder) => join(folder, 'cgroup.procs')),
    violations: () => violationsOf([...folders], processes),
    remove: () => removeFolders([...folders]),
  }
}

/** Whether this user may create groups that limit processes. */
export function hasCgroups(): boolean {
  return parentsOf('pids').some(isUsable)
}

/** The new folder of a group, or undefined where this user may not create it or it would not have the controller. */
function folderFor(controller: Controller, name: string): string | undefined {
  for (const parent of parentsOf(controller)) {
    if (!isUsable(parent)) continue
    const folder = join(parent, name)
    try {
      mkdirSync(folder, { recursive: true })
    } catch {
      continue
    }
    const limit = controller === 'pids' ? ['pids.max'] : ['memory.max', 'memory.limit_in_bytes']
    if (limit.some((file) => existsSync(join(folder, file)))) return folder
    removeFolder(folder)
  }
  return undefined
}

/** The group of this process, and the one above it: with the second version, a group with processes has no children. */
function parentsOf(controller: Controller): string[] {
  const lines = readText('/proc/self/cgroup').split('\n')
  const first = lines.find((line) => line.split(':')[1]?.split(',').includes(controller))
  if (first !== undefined) return [join(ROOT, controller, first.split(':').slice(2).join(':'))]
  const second = lines.find((line) => line.startsWith('0::'))
  if (second === undefined) return []
  const own = join(ROOT, second.slice('0::'.length))
  return own === ROOT ? [own] : [own, dirname(own)]
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    accessSync(join(folder, 'cgroup.procs'), constants.W_OK)
    return true
  } catch {
    return false
  }
}

function violationsOf(folders: readonly string[], processes: number | undefined): SandboxViolation[] {
  const counts = (file: string, key: string): number =>
    Math.max(
      0,
      ...folders.map((folder) =>
        Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(readText(join(folder, file)))?.[1] ?? 0),
      ),
    )
  const isOutOfMemory =
    counts('memory.events', 'oom_kill') > 0 || counts('memory.oom_control', 'oom_kill') > 0
  return [
    ...(counts('pids.events', 'max') > 0
      ? [{ kind: 'limit' as const, message: `It tried to start more than ${processes} processes.` }]
      : []),
    ...(isOutOfMemory ? [{ kind: 'limit' as const, message: 'It used more memory than it may.' }] : []),
  ]
}

const TRIES = 50
const WAIT_MS = 20

/** The system needs a moment to forget the last processes of a group. Nobody waits for it. */
function removeFolders(folders: readonly string[], tries = TRIES): void {
  const left = folders.filter((folder) => !removeFolder(folder))
  if (left.length > 0 && tries > 0) setTimeout(() => removeFolders(left, tries - 1), WAIT_MS).unref()
}

function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
