import { expect, test } from 'vitest'
import { backgroundLimits, createBackgroundTasks } from './background-tasks.ts'
import { createLog } from './log.ts'

/** A task that runs until it is resolved. */
function pendingTask() {
  let resolve = () => {}
  const ended = new Promise<void>((end) => {
    resolve = end
  })
  return { run: () => ended, resolve: () => resolve() }
}

test('a failing task does not reach the caller, and closing waits for the running tasks', async () => {
  const tasks = createBackgroundTasks(createLog('silent'))
  tasks.start('fails', () => Promise.reject(new Error('down')))
  tasks.start('throws', () => {
    throw new Error('down')
  })
  const task = pendingTask()
  tasks.start('runs', task.run)
  let isClosed = false
  const closing = tasks.close().then(() => {
    isClosed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isClosed).toBe(false)
  task.resolve()
  await closing
  expect(isClosed).toBe(true)
})

test('drops tasks beyond the limit', async () => {
  const tasks = createBackgroundTasks(createLog('silent'))
  const task = pendingTask()
  let starts = 0
  for (let count = 0; count <= backgroundLimits.running; count += 1) {
    tasks.start('runs', () => {
      starts += 1
      return task.run()
    })
  }
  task.resolve()
  await tasks.close()
  expect(starts).toBe(500)
})
