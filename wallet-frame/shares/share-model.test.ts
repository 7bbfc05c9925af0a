/**
 * A model check: the old or the new generation opens for every order of every step of every tab. A second
 * part shows that the code takes only steps of the model.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appId, heldPasskey, openFrame, type TestFrame } from '../testing/frame.ts'
import { emptyDisk, type MemoryDisk } from '../testing/memory-database.ts'
import { type Clouds, emptyClouds } from '../testing/server/clouds.ts'
import { type WalletServer, walletServer } from '../testing/server/wallet-server.ts'
import { opensByFile, opensOn, type Place, stepsOf, type Tab, visible, walk } from '../testing/share-model.ts'
import type { TabLife } from '../testing/tab-life.ts'
import { takingTurns } from '../testing/turns.ts'
import { hashPassword } from '../vault/recovery/password.ts'

const SLOW_MS = 180_000
const RUNS = 6

const placeWith = (...disks: readonly (readonly string[])[]): Place => ({
  present: 1,
  last: 1,
  made: new Set(),
  disks: disks.map((records) => new Set(records)),
  files: new Set(),
})
const set = (disk: number): Tab => ({ does: 'set', disk })
const open = (disk: number): Tab => ({ does: 'open', disk })
const setFile = (disk: number): Tab => ({ does: 'set with a file', disk })
const openFile = (disk: number): Tab => ({ does: 'open with a file', disk })

describe('the share model', () => {
  it('opens on the device for every order and death of two tabs that set a recovery', () => {
    const { states } = walk(placeWith(['c1']), [set(0), set(0)], (place) => {
      expect(opensOn(place, 0), visible(place)).toBe(true)
    })
    expect(states).toBeGreaterThan(500)
  })

  it('opens for every order and death of tabs that set a password, a passkey and a file', () => {
    const withFile = { ...placeWith(['c1'], ['c1']), files: new Set([1]) }
    const setPasskey: Tab = { does: 'set with a passkey', disk: 1 }
    walk(withFile, [set(0), setPasskey], (place) => {
      expect(opensOn(place, 0) || opensOn(place, 1), visible(place)).toBe(true)
      // An obsolete file may stay; the file of the present generation is never deleted.
      expect(place.present !== 1 || opensByFile(place), visible(place)).toBe(true)
    })
    walk(withFile, [setFile(0), { ...setPasskey, disk: 0 }], (place) => {
      expect(opensOn(place, 0), visible(place)).toBe(true)
    })
  })

  it('opens on the device that set a recovery and on another one, whose old share stays until then', () => {
    walk(placeWith(['c1'], ['c1']), [set(0), set(1), open(1)], (place) => {
      // One of them always opens, and the other keeps its old share until it has a new one.
      expect(opensOn(place, 0) || opensOn(place, 1), visible(place)).toBe(true)
      for (const records of place.disks) expect(records.size, visible(place)).toBeGreaterThan(0)
    })
  })

  it('keeps the file of the present generation for every order and death of tabs that set a new one', () => {
    const withFile = { ...placeWith(['c1'], []), files: new Set([1]) }
    walk(withFile, [setFile(0), setFile(0), openFile(1)], (place) => {
      expect(opensByFile(place), visible(place)).toBe(true)
      expect(opensOn(place, 0), visible(place)).toBe(true)
    })
  })

  it('detects a tab that commits before its file was written, and one that deletes the old file first', () => {
    const withFile = { ...placeWith(['c1']), files: new Set([1]) }
    const isSafe = (steps: (typeof stepsOf)['set']) => () =>
      walk(withFile, [setFile(0)], (place) => expect(opensByFile(place)).toBe(true), {
        ...stepsOf,
        'set with a file': steps,
      })
    const right = stepsOf['set with a file']
    expect(isSafe(right)).not.toThrow()
    const remove = right.slice(-1)
    expect(isSafe(right.filter((_step, at) => at !== 5 && at !== 6))).toThrow()
    expect(isSafe([...remove, ...right.slice(0, -1)])).not.toThrow()
    expect(isSafe([...right.slice(0, 7), ...remove, ...right.slice(7, -1)])).toThrow()
  })

  it('detects a tab that promotes the new share before the commit, and one that commits before it wrote', () => {
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

/** Returns the stored state in the form of the model. */
function placeOf(server: WalletServer, disks: readonly MemoryDisk[], clouds: Clouds): Place {
  const made = [...server.resharesOf('user_1')].map(([generation, { base, auth }]) => ({
    name: `${base}${generation}`,
    isStored: auth !== undefined,
  }))
  return {
    present: server.walletOf('user_1')?.generation ?? 0,
    last: 0,
    files: new Set([...clouds.files.keys()].map((name) => Number(/-(\d+)\.json$/.exec(name)?.[1]))),
    made: new Set(made.flatMap(({ name, isStored }) => (isStored ? [name, `${name}+`] : [name]))),
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

/** Asserts that each step of a tab on the server or a disk is a step of the model. */
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
  { open, set, names }: Ways,
) {
  const server = await walletServer(appId)
  const clouds = emptyClouds()
  const { address } = await open({ server, disk: disks[0] }).create()
  if (disks[1] !== disks[0]) await open({ server, disk: disks[1] }).recover(address)
  const places = [...new Set(disks)]
  const seen = new Set<string>()
  const { life, together } = takingTurns(choose)
  const own = watched(life, () => visible(placeOf(server, places, clouds)), follows, seen)
  const tabs = disks.map((disk) => open({ server, disk, clouds, life: own }))
  const outcomes = await together(
    tabs.map(
      (tab, index) => () =>
        set(tab, address, names[index] ?? '').then(
          () => 'set' as const,
          (error: { code: string }) => error.code,
        ),
    ),
  )
  return { server, clouds, address, outcomes, seen }
}

async function opens(frame: TestFrame, address: string, { names, recover }: Ways): Promise<string> {
  for (const name of names) {
    const recovered = await recover(frame, address, name).catch(() => undefined)
    if (recovered) return name
  }
  throw new Error('Nothing of the user opens the wallet')
}

/** How the two tabs set their recovery, each by its own name, and recover by that name. */
type Ways = {
  open: typeof openFrame
  does: Tab['does']
  names: readonly [string, string]
  set: (frame: TestFrame, address: string, name: string) => Promise<unknown>
  recover: (frame: TestFrame, address: string, name: string) => Promise<unknown>
  runs?: number
}
const passwords: Ways = {
  open: openFrame,
  does: 'set',
  names: ['first-password', 'second-password'],
  set: (frame, address, password) => frame.setPassword(address, password),
  recover: (frame, address, password) => frame.recoverWith(address, password),
}
/** The same with the real Argon2id, of which each run takes seconds. */
const hashedPasswords: Ways = {
  ...passwords,
  open: (options) => openFrame({ ...options, hashPassword }),
  runs: 1,
}
const held = { first: heldPasskey('first'), second: heldPasskey('second') }
const passkeyNamed = (name: string) => (name === 'first' ? held.first : held.second)
const passkeys: Ways = {
  open: openFrame,
  does: 'set with a passkey',
  names: ['first', 'second'],
  set: (frame, address, name) => frame.setPasskey(address, passkeyNamed(name)),
  recover: (frame, address, name) => frame.recoverByPasskey(address, passkeyNamed(name)),
}
/** One tab sets a password, the other a passkey. Their steps are the same for the server and the disks. */
const passwordAndPasskey: Ways = {
  open: openFrame,
  does: 'set',
  names: ['first-password', 'second'],
  set: (frame, address, name) => (name === 'second' ? passkeys : passwords).set(frame, address, name),
  recover: (frame, address, name) => (name === 'second' ? passkeys : passwords).recover(frame, address, name),
}
const files: Ways = {
  open: openFrame,
  does: 'set with a file',
  names: ['google-drive', 'icloud'],
  set: (frame, address, name) => frame.setFileIn(address, cloudNamed(name)),
  recover: (frame, address, name) => frame.recoverBy(address, cloudNamed(name)),
}
const cloudNamed = (name: string) => (name === 'icloud' ? 'icloud' : 'google-drive')

describe.each([
  ['a password', passwords],
  ['a password and the real Argon2id', hashedPasswords],
  ['a file', files],
  ['a passkey', passkeys],
  ['a password in one tab and a passkey in the other', passwordAndPasskey],
])('the code with %s', (_name, ways) => {
  it('with two tabs of one device takes only steps of the model: one wins, both sign, and its recovery works', {
    timeout: SLOW_MS,
  }, async () => {
    const tab = (disk: number): Tab => ({ does: ways.does, disk })
    const { follows } = walk(placeWith(['c1']), [tab(0), tab(0)], () => {})
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1)), async (choices) => {
        const disk = emptyDisk()
        const { server, clouds, address, outcomes, seen } = await twoTabs(
          () => choices.next().value ?? 0,
          [disk, disk],
          follows,
          ways,
        )
        expect(seen.size).toBeGreaterThan(4)
        expect(outcomes).toContain('set')
        for (const _tab of outcomes) await ways.open({ server, disk, clouds }).sign(address)
        const last = await opens(ways.open({ server, disk: emptyDisk(), clouds }), address, ways)
        expect(outcomes[last === ways.names[0] ? 0 : 1]).toBe('set')
      }),
      { numRuns: ways.runs ?? RUNS },
    )
  })

  it('with two devices takes only steps of the model: the other one opens with the recovery that was set', {
    timeout: SLOW_MS,
  }, async () => {
    const tab = (disk: number): Tab => ({ does: ways.does, disk })
    const { follows } = walk(placeWith(['c1'], ['c1']), [tab(0), tab(1)], () => {})
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1)), async (choices) => {
        const disks = [emptyDisk(), emptyDisk()] as const
        const { server, clouds, address, outcomes } = await twoTabs(
          () => choices.next().value ?? 0,
          disks,
          follows,
          ways,
        )
        expect(outcomes).toContain('set')
        for (const disk of disks) {
          const frame = ways.open({ server, disk, clouds })
          await frame.connect(address).catch(() => opens(frame, address, ways))
          await frame.sign(address)
        }
      }),
      { numRuns: ways.runs ?? RUNS },
    )
  })
})
