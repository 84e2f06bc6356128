/** @file Runs requests for many projects, several projects at a time. */

/** Each project takes at most a dozen requests, so this is an acceptable load for an instance. */
const projectsAtOnce = 6;

/** Returns the results in order; a limited number run in parallel. Rejects with the first failure. */
export async function mapInParallel<T, R>(
  all: readonly T[],
  act: (one: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const one = all[at];
      if (one !== undefined) results[at] = await act(one, at);
    }
  };
  await Promise.all(Array.from({ length: projectsAtOnce }, work));
  return results;
}
