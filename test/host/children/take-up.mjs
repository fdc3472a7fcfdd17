// Goes on with a call that another process put down.
import { runCall } from '../../../dist/pipeline/run-call.js'
import { openWorld, readState, resumeRun } from './open-world.mjs'

const [, , path, seen, stateFile] = process.argv
const opened = await openWorld(path, seen)
const call = readState(stateFile)
const run = await resumeRun(opened, call, 'default')
const ended = await runCall(call, run)
await opened.journal.durable()
await opened.owner.resign()
await opened.journal.close()
console.log(JSON.stringify({ pid: process.pid, result: ended.result }))
