"use client";

import { PrivyProvider } from "@privy-io/react-auth";
import { toSolanaWalletConnectors } from "@privy-io/react-auth/solana";
import { base, baseSepolia, type Chain } from "viem/chains";
import type { ReactNode } from "react";

const chains: [Chain, ...Chain[]] = [base, baseSepolia];

export function Providers({ children }: { children: ReactNode }) {
  return (
    <PrivyProvider
      appId={process.env.NEXT_PUBLIC_PRIVY_APP_ID!}
      clientId={process.env.NEXT_PUBLIC_PRIVY_CLIENT_ID}
      config={{
        loginMethods: ["email", "wallet", "google"],
        appearance: {
          theme: "dark",
          accentColor: "#676FFF",
          logo: "/logo.svg",
          showWalletLoginFirst: true,
          walletChainType: "ethereum-and-solana",
        },
        embeddedWallets: {
          ethereum: {
            createOnLogin: "users-without-wallets",
          },
          showWalletUIs: false,
        },
        externalWallets: {
          // @ts-expect-error: left by the codemod
          solana: { connectors: toSolanaWalletConnectors() },
        },
        supportedChains: chains,
        defaultChain: process.env.NODE_ENV === "production" ? base : baseSepolia,
      }}
    >
      {children}
    </PrivyProvider>
  );
}
