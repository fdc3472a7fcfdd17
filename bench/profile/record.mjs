// Records what a process computes and allocates, with V8's sampling profilers.
import { Session } from 'node:inspector/promises'
import { attributeCpu, attributeMemory } from './attribute.mjs'

const SAMPLE_MICROSECONDS = 100
const SAMPLE_BYTES = 512

/** Runs `work` twice: once for the time, once for the memory. The profilers would disturb each other. */
export async function recordWork(work) {
  const cpu = await recordCpu(work)
  const memory = await recordMemory(work)
  return { cpu: attributeCpu(cpu), memory: attributeMemory(memory) }
}

async function recordCpu(work) {
  const session = connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

async function recordMemory(work) {
  const session = connect()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLE_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  await work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return profile
}

function connect() {
  const session = new Session()
  session.connect()
  return session
}
