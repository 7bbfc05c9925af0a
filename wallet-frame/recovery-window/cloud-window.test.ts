/** The sign-in window of a cloud. */
import { describe, expect, test, vi } from 'vitest'
import { systemClock } from '../clock.ts'
import { createCloudBrowser } from './cloud-window.ts'

describe('the cloud sign-in window', () => {
  test('opens at 440 by 680, centred on the recovery window (spec L9.8)', () => {
    const open = vi.fn(() => null)
    const window = { screenX: 100, screenY: 50, outerWidth: 1_000, outerHeight: 800, open }
    createCloudBrowser(window as unknown as Window, systemClock).open('https://cloud.example/sign-in')
    expect(open.mock.calls).toEqual([
      ['https://cloud.example/sign-in', '_blank', 'popup,width=440,height=680,left=380,top=110'],
    ])
  })
})
