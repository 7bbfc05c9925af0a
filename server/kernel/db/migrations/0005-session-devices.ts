import type { Migration } from './migration.ts'

/** Binds sessions to devices. Older sessions have no device: their users log in again to use their wallet. */
export const sessionDevices: Migration = {
  async up({ schema }) {
    await schema.alterTable('sessions').addColumn('device', 'text').execute()
  },
}
