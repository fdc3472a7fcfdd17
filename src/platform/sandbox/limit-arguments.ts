import type { SandboxLimits } from './sandbox.js'

/** The options of `prlimit` for the limits of each process; none where there are no limits. */
export function limitArguments({ cpuSeconds, memoryMb, processes, fileSizeMb }: SandboxLimits): string[] {
  return [
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
    ...(memoryMb === undefined ? [] : [`--as=${bytes(memoryMb)}`]),
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(fileSizeMb === undefined ? [] : [`--fsize=${bytes(fileSizeMb)}`]),
  ]
}

function bytes(megabytes: number): number {
  return megabytes * 1024 * 1024
}
