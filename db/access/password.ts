import { hash, verify } from '@node-rs/argon2'

/** Hashes passwords; the tests count how often. */
export type Passwords = {
  hash(password: string): Promise<string>
  /**
   * Whether the password matches the hash. Null stands for an unknown user: the answer is false and takes the same
   * time.
   */
  verify(hash: string | null, password: string): Promise<boolean>
}

// The hash of no password, which is verified for an unknown email address so that the call takes the same time.
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$3u16PKtHjWza6Uf8Yzv2/Q$y0YBrIbx1JXy93NSBtgVUOikrLDPzFsLr/UVU1krxUc'

/** argon2id with 19 MiB, two passes and one lane (docs/contract/access.md, "Passwords and tokens"). */
export const passwords: Passwords = {
  // The package's default algorithm is Argon2id.
  hash: (password) => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  verify: async (known, password) => (await verify(known ?? nobodys, password)) && known !== null,
}
