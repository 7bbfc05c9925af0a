"use client";

import { LatchkeyProvider } from "@latchkey/loader/react";
import { toSolanaWalletConnectors } from "@privy-io/react-auth/solana";
import { base, baseSepolia, type Chain } from "viem/chains";
import type { ReactNode } from "react";

const chains: [Chain, ...Chain[]] = [base, baseSepolia];

export function Providers({ children }: { children: ReactNode }) {
  return (
    <LatchkeyProvider
      appId={process.env.NEXT_PUBLIC_PRIVY_APP_ID!}
      dialogUrl={process.env.NEXT_PUBLIC_LATCHKEY_DIALOG_URL as string}
      config={{
        loginMethods: ["email", "wallet", "google"],
        appearance: {
          theme: "dark",
          accentColor: "#676FFF",
          logo: "/logo.svg",
          loginGroupPriority: "web3-first",
        },
        embeddedWallets: {
          createOnLogin: "users-without-wallets",
          noPromptOnSignature: true,
        },
        externalWallets: {
          // @ts-expect-error: left by the codemod
          solana: { connectors: toSolanaWalletConnectors() },
        },
        supportedChains: chains.map((chain) => chain.id),
        defaultChain: (process.env.NODE_ENV === "production" ? base : baseSepolia).id,
      }}
    >
      {children}
    </LatchkeyProvider>
  );
}
