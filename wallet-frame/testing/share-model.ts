/**
 * A model of the shares of one wallet: where each generation is stored (at the server, current or being made;
 * on the disks of devices, pending or committed), and the steps that tabs take. Small enough for a complete
 * search: every order of the steps of several tabs, any of which may die after any step.
 */
export type Place = {
  /** The generation of the auth and recovery shares that the server releases: it replaces both at once. */
  present: number
  last: number
  /** `12`: generation 2, made from 1. With `+` the server has its shares. */
  made: ReadonlySet<string>
  /** `p2`: pending. `c2`: committed. */
  disks: readonly ReadonlySet<string>[]
  /** The generations whose key is in a file in the user's cloud. */
  files: ReadonlySet<number>
}
export type Tab = {
  does: 'set' | 'set with a file' | 'set with a passkey' | 'open' | 'open with a file'
  disk: number
}
type Progress = { at: number; base: number; generation: number }
const ended = -1

type ModelState = { place: Place; tabs: readonly Progress[] }
/** Returns the state after a step; `undefined` ends the tab with an error that the user can act on. */
export type Step = (
  place: Place,
  tab: Progress,
  disk: number,
) => { place?: Place; tab?: Partial<Progress> } | undefined

const withDisk = (place: Place, disk: number, records: Iterable<string>): Place => ({
  ...place,
  disks: place.disks.with(disk, new Set(records)),
})
const has = (place: Place, disk: number, generation: number) =>
  place.disks[disk]?.has(`p${generation}`) === true || place.disks[disk]?.has(`c${generation}`) === true
const write = (place: Place, disk: number, record: string) =>
  withDisk(place, disk, [...(place.disks[disk] ?? []), record])
const numberIn = (record: string) => Number(record.slice(1))

/** Promotes a pending share; only then are those of earlier generations deleted. */
function promote(place: Place, disk: number, generation: number): Place {
  const records = place.disks[disk] ?? new Set()
  if (!records.has(`p${generation}`)) return place
  const stays = [...records].filter((record) =>
    record.startsWith('p') ? numberIn(record) > generation : numberIn(record) >= generation,
  )
  return withDisk(place, disk, new Set([...stays, `c${generation}`]))
}

const begin: Step = (place, tab) => {
  const generation = place.last + 1
  const made = new Set([...place.made, `${place.present}${generation}`])
  return { place: { ...place, last: generation, made }, tab: { ...tab, base: place.present, generation } }
}
/** Ends the tab if this device has no share of the base generation: it must recover first. */
const readOld: Step = (place, { base }, disk) => (has(place, disk, base) ? {} : undefined)
const takeUpOld: Step = (place, { base }, disk) => ({ place: promote(place, disk, base) })
const writeNew: Step = (place, { generation }, disk) => ({ place: write(place, disk, `p${generation}`) })
const readBack: Step = (place, { generation }, disk) => (has(place, disk, generation) ? {} : undefined)
const storeNew: Step = (place, { base, generation }) => {
  const mine = `${base}${generation}`
  if (!place.made.has(mine)) return undefined
  return { place: { ...place, made: new Set([...place.made, `${mine}+`]) } }
}
/** Compare and set, which deletes concurrent attempts. The tab receives the current generation. */
const commit: Step = (place, { base, generation }) => {
  const wins = place.made.has(`${base}${generation}+`) && place.present === base
  if (!wins) return undefined
  return { place: { ...place, present: generation, made: new Set() } }
}
const takeUp: Step = (place, { generation }, disk) =>
  has(place, disk, generation) ? { place: promote(place, disk, generation) } : undefined

/** Writes the file of the new generation to the cloud. */
const writeFile: Step = (place, { generation }) => ({
  place: { ...place, files: new Set([...place.files, generation]) },
})
const readFile: Step = (place, { generation }) => (place.files.has(generation) ? {} : undefined)
/** Removes the file of the generation that the new one replaced. */
const removeFile: Step = (place, { base }) => ({
  place: { ...place, files: new Set([...place.files].filter((generation) => generation !== base)) },
})

const look: Step = (place) => ({ tab: { generation: place.present } })

/** The key of the new generation is stored nowhere: the user knows the password. */
const set = [begin, readOld, takeUpOld, writeNew, readBack, storeNew, readBack, commit, readBack, takeUp]

/** A server's step is one exchange, a disk's one transaction. */
export const stepsOf: { readonly [does in Tab['does']]: readonly Step[] } = {
  set,
  /** The authenticator has had the key since before the first step. */
  'set with a passkey': set,
  'set with a file': [
    ...[begin, readOld, takeUpOld, writeNew, readBack, writeFile, readFile],
    ...[storeNew, readBack, commit, readBack, takeUp, removeFile],
  ],
  /**
   * Opens with the shares released for the current generation, even if another one is committed meanwhile.
   */
  open: [look, writeNew, readBack, takeUp],
  'open with a file': [look, readFile, writeNew, readBack, takeUp],
}

export const visible = ({ present, made, disks, files }: Place) =>
  JSON.stringify([present, [...made].sort(), disks.map((records) => [...records].sort()), [...files].sort()])

/** Searches all states. Returns which visible step may follow which visible state. */
export function walk(
  first: Place,
  tabs: readonly Tab[],
  check: (place: Place) => void,
  machine: typeof stepsOf = stepsOf,
): { follows: ReadonlySet<string>; states: number } {
  const start: ModelState = { place: first, tabs: tabs.map(() => ({ at: 0, base: 0, generation: 0 })) }
  const follows = new Set<string>()
  const known = new Set<string>()
  const waiting = [start]
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const key = `${visible(state.place)}${state.place.last}${JSON.stringify(state.tabs)}`
    if (known.has(key)) continue
    known.add(key)
    check(state.place)
    for (const [index, tab] of tabs.entries()) {
      const progress = state.tabs[index]
      if (!progress || progress.at === ended) continue
      const step = machine[tab.does][progress.at]
      const taken = step?.(state.place, progress, tab.disk)
      const next = { ...progress, ...taken?.tab, at: taken ? progress.at + 1 : ended }
      const place = taken?.place ?? state.place
      follows.add(`${visible(state.place)} > ${visible(place)}`)
      waiting.push({ place, tabs: state.tabs.with(index, next) })
      // The tab dies here.
      waiting.push({ ...state, tabs: state.tabs.with(index, { ...progress, at: ended }) })
    }
  }
  return { follows, states: known.size }
}

/** A device without a share opens the wallet with the file. */
export const opensByFile = ({ files, present }: Place) => files.has(present)

/** A device opens its wallet with its own share and that of the server. */
export const opensOn = (place: Place, disk: number) => has(place, disk, place.present)
