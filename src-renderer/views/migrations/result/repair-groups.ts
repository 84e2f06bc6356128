/** @file The planned repairs of a project in the order of the dialog: by record, grave ones first. Pure. */
import type { PlannedRepair } from '../../../../src-contract/migrations/repair.ts';
import { gravestFirst } from '../../../../src-contract/transfers/gravity.ts';

export interface RepairGroup {
  relation: PlannedRepair['relation'];
  /** Empty for the settings of the project, which are no record. */
  key: string;
  repairs: readonly PlannedRepair[];
}

/** Returns one group for each record, and one for the settings. Groups with a grave repair come first. */
export function groupRepairs(repairs: readonly PlannedRepair[]): RepairGroup[] {
  const groups = Map.groupBy(repairs, ({ relation, key }) => `${relation} ${key}`);
  const sorted = [...groups.values()].flatMap((group): RepairGroup[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { relation, key } = first;
    return [{ relation, key, repairs: gravestFirst(group, ({ isGrave }) => isGrave) }];
  });
  return gravestFirst(sorted, (group) => group.repairs.some(({ isGrave }) => isGrave));
}
