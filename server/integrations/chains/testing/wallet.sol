// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A wallet that is a contract, as ERC-1271 has it: it takes the signatures of its owner's key.
contract Wallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65);
        address signer =
            ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Makes such a wallet at an address that is known before: what ERC-6492 is for.
contract Factory {
    function make(address owner) external returns (address) {
        return address(new Wallet{salt: 0}(owner));
    }
}
