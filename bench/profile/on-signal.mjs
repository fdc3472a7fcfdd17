// Preloaded into a gateway that is profiled. The first signal starts a profile, the second writes it to PROFILE_TO.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const { PROFILE_TO: target, PROFILE_KIND: kind } = process.env
const starts = {
  cpu: async (session) => {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 100 })
    await session.post('Profiler.start')
  },
  memory: (session) =>
    session.post('HeapProfiler.startSampling', {
      samplingInterval: 1024,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    }),
}
const stops = { cpu: 'Profiler.stop', memory: 'HeapProfiler.stopSampling' }
let session

process.on('SIGUSR2', async () => {
  if (session === undefined) {
    session = new Session()
    session.connect()
    await starts[kind](session)
    writeFileSync(`${target}.started`, '')
    return
  }
  const { profile } = await session.post(stops[kind])
  writeFileSync(target, JSON.stringify(profile))
  writeFileSync(`${target}.ended`, '')
})
