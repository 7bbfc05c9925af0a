import type { Gate } from '../../core/gate.ts'
import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import type { ExportStep } from './export-screen.tsx'
import { exportScreen } from './screens.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const picture = (caption: string, step: ExportStep): Picture => ({
  caption,
  screen: pictured(exportScreen, { address, ...step }),
})
const review = (state: Gate['state']): ExportStep => ({
  status: 'review',
  approval: { by: 'press', gate: { state, sinceMs: 0, asks: false } },
})

export const pictures: Pictures = {
  screens: [
    picture('Export, connecting', { status: 'connecting' }),
    picture('Export', review('armed')),
    picture('Export, not yet', review('arming')),
    picture('Export, covered', review('hidden')),
    picture('Export, on a page of its own', {
      status: 'review',
      approval: { by: 'page', reason: 'browser', way: { at: 'nowhere' } },
    }),
    picture('Export, opening', { status: 'approved' }),
    // The page itself is of another origin, which has no place in the gallery.
    picture('Export, before the page came', { status: 'page', pageUrl: 'about:blank' }),
    picture('Export, canceled', { status: 'failed', problem: 'canceled' }),
    picture('Export, failed', { status: 'failed', problem: 'failed' }),
  ],
}
