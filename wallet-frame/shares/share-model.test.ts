/**
 * Old or new opens, never neither: shown for every order of every step of every tab in the small model, and the code
 * is shown to take no step that the model does not have.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appId, openFrame, type TestFrame } from '../testing/frame.ts'
import { emptyDisk, type MemoryDisk } from '../testing/memory-database.ts'
import { opensOn, type Place, stepsOf, type Tab, visible, walk } from '../testing/share-model.ts'
import type { TabLife } from '../testing/tab-life.ts'
import { takingTurns } from '../testing/turns.ts'
import { type WalletServer, walletServer } from '../testing/wallet-server.ts'

const SLOW_MS = 180_000
const RUNS = 6

const placeWith = (...disks: readonly (readonly string[])[]): Place => ({
  present: 1,
  last: 1,
  made: new Set(),
  disks: disks.map((records) => new Set(records)),
})
const set = (disk: number): Tab => ({ does: 'set', disk })
const open = (disk: number): Tab => ({ does: 'open', disk })

describe('the model', () => {
  it('opens on the device through every order and death of two tabs that set a recovery', () => {
    const { worlds } = walk(placeWith(['c1']), [set(0), set(0)], (place) => {
      expect(opensOn(place, 0), visible(place)).toBe(true)
    })
    expect(worlds).toBeGreaterThan(500)
  })

  it('opens on the device that set it, and on another with a recovery, whose old share stays until then', () => {
    walk(placeWith(['c1'], ['c1']), [set(0), set(1), open(1)], (place) => {
      // One of them always does, and the other one has not lost what it had before it has something new.
      expect(opensOn(place, 0) || opensOn(place, 1), visible(place)).toBe(true)
      for (const records of place.disks) expect(records.size, visible(place)).toBeGreaterThan(0)
    })
  })

  it('notices a tab that takes the new share up ahead of the commit, and one that commits before it wrote', () => {
    const isSafe = (machine: typeof stepsOf) => () =>
      walk(placeWith(['c1']), [set(0)], (place) => expect(opensOn(place, 0)).toBe(true), machine)
    expect(isSafe(stepsOf)).not.toThrow()
    const [commit, takeUp] = [stepsOf.set.at(7), stepsOf.set.at(9)]
    if (!commit || !takeUp) throw new Error('The model has other steps')
    const early = [...stepsOf.set.slice(0, 7), takeUp, commit]
    expect(isSafe({ ...stepsOf, set: early })).toThrow()
    const unwritten = stepsOf.set.filter((_step, at) => ![3, 4, 6, 8].includes(at))
    expect(isSafe({ ...stepsOf, set: unwritten })).toThrow()
  })
})

/** What lies where, as the model has it. */
function placeOf(server: WalletServer, disks: readonly MemoryDisk[]): Place {
  const made = [...server.resharesOf('user_1')].map(([generation, { base, auth }]) => ({
    name: `${base}${generation}`,
    isKept: auth !== undefined,
  }))
  return {
    present: server.walletOf('user_1')?.generation ?? 0,
    last: 0,
    made: new Set(made.flatMap(({ name, isKept }) => (isKept ? [name, `${name}+`] : [name]))),
    disks: disks.map(
      ({ records }) =>
        new Set(
          [...records.keys()].map((key) => {
            const [kind = '', , generation] = key.split(':')
            return `${kind.charAt(0)}${generation}`
          }),
        ),
    ),
  }
}

/** Whatever each step of a tab does to the server or to a disk is a step of the model. */
function watched(
  life: TabLife,
  look: () => string,
  follows: ReadonlySet<string>,
  seen: Set<string>,
): TabLife {
  return {
    ...life,
    step: (act) =>
      life.step(async () => {
        const before = look()
        const result = await act()
        const after = look()
        if (before !== after) {
          seen.add(`${before} > ${after}`)
          expect(follows, `${before} > ${after}`).toContain(`${before} > ${after}`)
        }
        return result
      }),
  }
}

async function twoTabs(
  choose: () => number,
  disks: readonly [MemoryDisk, MemoryDisk],
  follows: ReadonlySet<string>,
) {
  const server = await walletServer(appId)
  const { address } = await openFrame({ server, disk: disks[0] }).create()
  if (disks[1] !== disks[0]) await openFrame({ server, disk: disks[1] }).recover(address)
  const places = [...new Set(disks)]
  const seen = new Set<string>()
  const { life, together } = takingTurns(choose)
  const own = watched(life, () => visible(placeOf(server, places)), follows, seen)
  const tabs = disks.map((disk) => openFrame({ server, disk, life: own }))
  const passwords = ['first-password', 'second-password'] as const
  const outcomes = await together(
    tabs.map(
      (tab, index) => () =>
        tab.setPassword(address, passwords[index] ?? '').then(
          () => 'set' as const,
          (error: { readonly code: string }) => error.code,
        ),
    ),
  )
  return { server, address, outcomes, passwords, seen }
}

async function opens(frame: TestFrame, address: string, passwords: readonly string[]): Promise<string> {
  for (const password of passwords) {
    const recovered = await frame.recoverWith(address, password).catch(() => undefined)
    if (recovered) return password
  }
  throw new Error('No password opens the wallet')
}

describe('the code', () => {
  it('with two tabs of one device takes the steps of the model: one wins, both sign, its password opens', {
    timeout: SLOW_MS,
  }, async () => {
    const { follows } = walk(placeWith(['c1']), [set(0), set(0)], () => {})
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1)), async (choices) => {
        const disk = emptyDisk()
        const { server, address, outcomes, passwords, seen } = await twoTabs(
          () => choices.next().value ?? 0,
          [disk, disk],
          follows,
        )
        expect(seen.size).toBeGreaterThan(4)
        expect(outcomes).toContain('set')
        for (const _tab of outcomes) await openFrame({ server, disk }).sign(address)
        const last = await opens(openFrame({ server, disk: emptyDisk() }), address, passwords)
        expect(outcomes[last === passwords[0] ? 0 : 1]).toBe('set')
      }),
      { numRuns: RUNS },
    )
  })

  it('with two devices takes the steps of the model: the other one opens with the password', {
    timeout: SLOW_MS,
  }, async () => {
    const { follows } = walk(placeWith(['c1'], ['c1']), [set(0), set(1)], () => {})
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1)), async (choices) => {
        const disks = [emptyDisk(), emptyDisk()] as const
        const { server, address, outcomes, passwords } = await twoTabs(
          () => choices.next().value ?? 0,
          disks,
          follows,
        )
        expect(outcomes).toContain('set')
        for (const disk of disks) {
          const frame = openFrame({ server, disk })
          await frame.connect(address).catch(() => opens(frame, address, passwords))
          await frame.sign(address)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
