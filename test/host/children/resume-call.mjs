// Resumes a call that another process suspended.
import { runCall } from './run-call.mjs'
import { openPorts, readState, resumeRun } from './open-ports.mjs'

const [, , path, seen, stateFile] = process.argv
const opened = await openPorts(path, seen)
const call = readState(stateFile)
const run = await resumeRun(opened, call, 'default')
const ended = await runCall(call, run)
await opened.journal.durable()
await opened.owner.resign()
await opened.journal.close()
console.log(JSON.stringify({ pid: process.pid, result: ended.result }))
