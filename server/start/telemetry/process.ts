/** Process metrics, by the OpenTelemetry conventions. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gauge, observedSum, observedTotal } from '../../kernel/telemetry/instruments.ts'

const cpuTime = observedTotal({
  name: 'process.cpu.time',
  unit: 's',
  description: 'CPU time of this process',
  attributes: ['cpu.mode'],
})
const memory = observedSum({
  name: 'process.memory.usage',
  unit: 'By',
  description: 'Resident memory of this process (RSS)',
  attributes: [],
})
const loopDelay = gauge({
  name: 'nodejs.eventloop.delay.p99',
  unit: 's',
  description: '99th percentile of the event loop delay since the last scrape',
  attributes: [],
})

/** Returns a function that removes the metrics. */
export function watchProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const stops = [
    cpuTime.observe(() => {
      const { user, system } = process.cpuUsage()
      return [
        { value: user / 1e6, values: { 'cpu.mode': 'user' } },
        { value: system / 1e6, values: { 'cpu.mode': 'system' } },
      ]
    }),
    memory.observe(() => [{ value: process.memoryUsage.rss(), values: {} }]),
    loopDelay.observe(() => {
      const value = delay.percentile(99) / 1e9
      delay.reset()
      return [{ value, values: {} }]
    }),
  ]
  return () => {
    delay.disable()
    for (const stop of stops) stop()
  }
}
