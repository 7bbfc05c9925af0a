import { usePrivy as useAuth, useWallets as usePrivyWallets, useConnectOrCreateWallet, usePrivy } from '@privy-io/react-auth';

const useLatchkey = () => 'a name of our own';

/** `usePrivy` in a text or a comment stays. */
export function Header() {
  const { login, authenticated } = useAuth();
  const { wallets: mine } = usePrivyWallets();
  const { connectOrCreateWallet } = useConnectOrCreateWallet();
  const privy = usePrivy();
  const title = useLatchkey() + 'usePrivy';

  function withOwn(usePrivy: () => { createdAt: Date }, wallets: { walletClientType: string }[]) {
    const user = usePrivy();
    const own = wallets.find((wallet) => wallet.walletClientType === 'privy');
    return [user.createdAt, own];
  }

  return (
    <header title={title} data-own={String(withOwn)}>
      {!authenticated && <button onClick={login}>Log in</button>}
      <button onClick={connectOrCreateWallet}>Connect</button>
      {mine.some((wallet) => 'privy' === wallet.walletClientType) ? 'embedded' : privy.user?.createdAt.toString()}
    </header>
  );
}
