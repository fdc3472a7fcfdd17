import type { CommandFamily } from '../command-spec.js'
import {
  judgeCd,
  judgeCommand,
  judgePrintf,
  judgePushd,
  judgeRead,
  judgeSet,
} from '../grammars/judge-builtins.js'
import { judgeTest } from '../grammars/judge-test.js'
import { judgeEnv, judgeScript, judgeShell, judgeWrapper, judgeXargs } from '../grammars/judge-wrappers.js'
import { wrapperShapes } from '../grammars/wrapper-shapes.js'

const isFree = true

/** Shell builtins, and commands that run another one. */
export const shellAndWrappers: CommandFamily = {
  ': true false pwd type sleep exit return break continue times help': { isFree },
  'test [': { judge: judgeTest },
  printf: { judge: judgePrintf },
  read: { judge: judgeRead },
  cd: { judge: judgeCd },
  pushd: { judge: judgePushd },
  // It returns to an earlier folder of the script, or fails.
  popd: { options: '-n', operand: (value) => /^\+[0-9]+$/.test(value) },
  dirs: { options: '-l -p -v', operands: 0 },
  set: { judge: judgeSet },
  command: { judge: judgeCommand },
  // Not -p, which sets a variable.
  wait: { options: '-n -f', operand: (value) => /^[0-9%]/.test(value) },
  // Not -x, which runs.
  jobs: { options: '-l -p -r -s -n', operands: 0 },
  history: { options: '', operands: 1, operand: (value) => /^[0-9]+$/.test(value) },
  ulimit: { options: '-a -H -S -c -n -u -s -v -f -l -m -t', operands: 0 },
  umask: { options: '-S -p', operands: 0 },

  env: { judge: judgeEnv },
  xargs: { judge: judgeXargs },
  'sh bash dash zsh ksh': { judge: judgeShell },
  nice: { judge: judgeWrapper(wrapperShapes.nice) },
  time: { judge: judgeWrapper(wrapperShapes.time) },
  timeout: { judge: judgeWrapper(wrapperShapes.timeout) },
  stdbuf: { judge: judgeWrapper(wrapperShapes.stdbuf) },
  ionice: { judge: judgeWrapper({ flags: '-t --ignore', values: '-c --class -n --classdata' }) },
  caffeinate: { judge: judgeWrapper({ flags: '-d -i -m -s -u -di -dis -disu', values: '-t' }) },
  script: { judge: judgeScript },
}
