import type { Migration } from './migration.ts'

/** Sessions from before have none: their users log in again where they want their wallet. */
export const sessionDevices: Migration = {
  async up({ schema }) {
    await schema.alterTable('sessions').addColumn('device', 'text').execute()
  },
}
