/** @file Runs requests for many projects, several projects at a time. */

/** Each project takes about two dozen requests, so this is an acceptable load for an instance. */
const maxParallelProjects = 6;

/** Returns the results in order; a limited number run in parallel. Rejects with the first failure. */
export async function mapInParallel<T, R>(
  all: readonly T[],
  act: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      const one = all[index];
      if (one !== undefined) results[index] = await act(one, index);
    }
  };
  await Promise.all(Array.from({ length: maxParallelProjects }, work));
  return results;
}
