/** Shared tests of each recovery method, from the dialog's call to the server's row: set, set again, used. */
import { expect, it } from 'vitest'
import { appId, openFrame } from '../../testing/frame.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { walletServer } from '../../testing/server/wallet-server.ts'

type Server = Awaited<ReturnType<typeof walletServer>>
type Disk = ReturnType<typeof emptyDisk>
type Frame = ReturnType<typeof openFrame>
type Address = Awaited<ReturnType<Frame['create']>>['address']

/** One secret of a user, or one cloud with its files, as the input of a recovery method. */
export type Means = {
  open: (server: Server, disk: Disk) => Frame
  set: (frame: Frame, address: Address) => Promise<unknown>
  create: (frame: Frame) => Promise<{ address: Address }>
  recover: (frame: Frame, address: Address) => Promise<unknown>
}
export type Method = {
  /** The name of the method at the server. */
  name: string
  means: () => Means
  /** Another input of the method that does not open the wallet, and the resulting error code. */
  wrong?: { means: () => Means; code: string }
}

/** Opens a frame that answers with the given input. */
export const openPlainly: Means['open'] = (server, disk) => openFrame({ server, disk })

export function recoveryMethodFacts({ name, means, wrong }: Method) {
  /** Creates a wallet with this recovery method. Returns it with the device on which it was set. */
  async function storedWallet() {
    const server = await walletServer(appId)
    const disk = emptyDisk()
    const own = means()
    const frame = own.open(server, disk)
    const { address } = await frame.create()
    const set = await own.set(frame, address)
    return { server, disk, own, frame, address, set }
  }
  const notHere = { code: 'wallet_not_on_device' }

  it('can be set for a wallet with automatic recovery, which still signs here', async () => {
    const { server, disk, frame, address, set } = await storedWallet()
    expect(set).toMatchObject({ address, user: { id: 'user_1' } })
    expect(server.walletOf('user_1')).toMatchObject({ generation: 2, recoveryMethod: name })
    expect([...disk.records.keys()]).toEqual(['committed:wallet_user_1:2'])
    expect((await frame.sign(address)).address).toBe(address)
  })

  it('recovers the wallet on a new device, where automatic recovery does not', async () => {
    const { server, own, address } = await storedWallet()
    const device = own.open(server, emptyDisk())
    await expect(device.connect(address)).rejects.toMatchObject(notHere)
    await expect(device.recover(address)).rejects.toMatchObject({ code: 'disallowed_recovery_method' })
    await expect(device.connect(address)).rejects.toMatchObject(notHere)
    expect(await own.recover(device, address)).toEqual({ address })
    expect((await device.sign(address)).address).toBe(address)
  })

  it('can be set when a wallet is created', async () => {
    const server = await walletServer(appId)
    const own = means()
    const { address } = await own.create(own.open(server, emptyDisk()))
    expect(server.walletOf('user_1')).toMatchObject({ generation: 1, recoveryMethod: name })
    const device = own.open(server, emptyDisk())
    await expect(device.recover(address)).rejects.toMatchObject({ code: 'disallowed_recovery_method' })
    expect(await own.recover(device, address)).toEqual({ address })
  })

  it('can be set again, and the wallet then recovers on a new device', async () => {
    const { server, own, frame, address } = await storedWallet()
    await own.set(frame, address)
    expect(server.walletOf('user_1')).toMatchObject({ generation: 3, recoveryMethod: name })
    expect(await own.recover(own.open(server, emptyDisk()), address)).toEqual({ address })
  })

  if (wrong) {
    const { means: wrongMeans, code } = wrong
    it(`does not open the wallet with other means (${code}), which leave it as it was`, async () => {
      const { server, own, address } = await storedWallet()
      const device = own.open(server, emptyDisk())
      await expect(wrongMeans().recover(device, address)).rejects.toMatchObject({ code })
      await expect(device.connect(address)).rejects.toMatchObject(notHere)
      expect(await own.recover(device, address)).toEqual({ address })
    })

    it('replaces the previous input when it is set with another one', async () => {
      const { server, own, frame, address } = await storedWallet()
      const other = wrongMeans()
      await other.set(frame, address)
      expect(server.walletOf('user_1')?.generation).toBe(3)
      const device = () => own.open(server, emptyDisk())
      await expect(own.recover(device(), address)).rejects.toMatchObject({ code })
      expect(await other.recover(device(), address)).toEqual({ address })
    })
  }
}
