/** @file Settings that an instance may decide for its projects, and settings that no export carries. */
import { describe, expect, it } from 'vitest';
import { archiveWith, differing, nothing } from '../../../../support/migrations/compared-settings.ts';

describe('Service Desk, which GitLab shows as off on an instance that receives no mail,', () => {
  const archive = (isOn: boolean) => archiveWith({ project: { service_desk_enabled: isOn } });
  const shown = (isOn: boolean) => ({ service_desk_enabled: isOn });

  it('is compared with the archive if the source shows it as off', () => {
    const hidden = differing({ source: shown(false), archive: archive(true), target: shown(true) });
    expect(hidden).toEqual({ settings: [], declared: [], remarks: [] });
    const gained = differing({ source: shown(false), archive: archive(false), target: shown(true) });
    expect(gained.settings).toMatchObject([{ attribute: 'service_desk_enabled', lost: 'on-import' }]);
  });

  it('is not mentioned if the archive has it on, as a new project, and neither instance can show that', () => {
    const sides = { archive: archive(true), target: shown(false) };
    expect(differing({ ...sides, source: shown(false) })).toEqual(nothing);
    // Without the source, nothing shows that the project had it off before.
    expect(differing({ ...sides, source: null }).declared).toEqual([
      expect.stringMatching(/target may decide.*: service_desk_enabled is false and was true/),
    ]);
    // A target that does not show it has it on in a new project.
    expect(differing({ archive: archive(true) })).toEqual(nothing);
    expect(differing({ archive: archive(false) }).declared.join()).toContain(
      'service_desk_enabled was false',
    );
  });

  it('is not known if the source shows it as off and the archive does not contain it', () => {
    const { settings, declared } = differing({
      ...{ source: shown(false), archive: archiveWith({}), target: shown(true) },
    });
    expect(settings).toEqual([]);
    expect(declared).toEqual([
      expect.stringMatching(/source may force.*archive does not contain.*: service_desk_enabled is true/),
    ]);
  });

  it('is a loss of the export if the source has it on and the archive off, although the target may decide it', () => {
    const sides = { source: shown(true), archive: archive(false), target: shown(false) };
    expect(differing(sides)).toMatchObject({
      settings: [{ attribute: 'service_desk_enabled', expected: 'true', found: 'false', lost: 'on-export' }],
      declared: [],
    });
  });

  it('may be off because of the target, but not on', () => {
    const off = differing({ source: shown(true), archive: archive(true), target: shown(false) });
    expect(off).toMatchObject({ settings: [], declared: [expect.stringContaining('service_desk_enabled')] });
    const on = differing({ source: null, archive: archive(false), target: shown(true) });
    expect(on.settings).toMatchObject([{ attribute: 'service_desk_enabled', expected: 'false' }]);
  });
});

it('settings of pipelines that no export carries are named if source and target differ', () => {
  const settings = (isOn: boolean) => ({
    ci_display_pipeline_variables: isOn,
    job_token_scope: { inbound_enabled: isOn },
  });
  const { remarks, ...others } = differing({ source: settings(true), target: settings(false) });
  expect(others).toEqual({ settings: [], declared: [] });
  expect(remarks).toEqual([
    expect.stringMatching(/ci_display_pipeline_variables is false and was true.*job_token_scope\.inbound_en/),
  ]);
});

it('a job token scope that the instance of the target may force is named with that, and others are not', () => {
  const scope = (isOn: boolean) => ({ job_token_scope: { inbound_enabled: isOn } });
  const forced = differing({ source: scope(false), archive: archiveWith({}), target: scope(true) });
  expect(forced).toMatchObject({ settings: [], declared: [] });
  expect(forced.remarks).toEqual([
    expect.stringMatching(/target may force them.*: job_token_scope\.inbound_enabled is true and was false/),
  ]);
  const notForced = differing({ source: scope(true), archive: archiveWith({}), target: scope(false) });
  expect(notForced.remarks.join()).toContain('set them on the target if they matter: job_token_scope');
});

it('a registry that the archive has as disabled is a loss of the export, and one without a column is not', () => {
  const level = (value: string) => ({ container_registry_access_level: value });
  const differingWith = (feature: object) =>
    differing({
      source: { ...level('enabled'), shared_runners_enabled: true },
      archive: archiveWith({ project: { shared_runners_enabled: false }, project_feature: { ...feature } }),
      target: { ...level('disabled'), shared_runners_enabled: false },
    });
  expect(differingWith({})).toMatchObject({
    settings: [{ attribute: 'shared_runners_enabled', lost: 'on-export' }],
    declared: [expect.stringMatching(/target may decide.*: container_registry_access_level is disabled/)],
  });
});

describe('a setting of approvals that the instance of the source may force', () => {
  const shown = (isOn: boolean) => ({ approvals: { merge_requests_disable_committers_approval: isOn } });
  const archive = (value: boolean | null) =>
    archiveWith({ project: { merge_requests_disable_committers_approval: value } });
  const unknown = expect.stringMatching(
    /^The source may force.*the archive does not contain these values.*: approvals\.merge_requests_disable_committers_approval.* was true\.$/,
  ) as string;

  it('is no loss if the archive has the value that the source does not force, and is named', () => {
    for (const value of [false, null])
      for (const target of [shown(false), {}])
        expect(differing({ source: shown(true), archive: archive(value), target })).toEqual({
          ...nothing,
          declared: [unknown],
        });
  });

  it('is named in one sentence if the archive has another value and the target shows none', () => {
    const source = { approvals: { reset_approvals_on_push: true } };
    const changed = archiveWith({ project: { reset_approvals_on_push: false } });
    expect(differing({ source, archive: changed })).toEqual({
      ...nothing,
      declared: [
        expect.stringMatching(/^The source may force.*: approvals\.reset_approvals_on_push was true/),
      ],
    });
  });

  it('is not known if the archive does not contain it', () => {
    const sides = { source: shown(true), archive: archiveWith({}), target: shown(false) };
    expect(differing(sides)).toEqual({ ...nothing, declared: [unknown] });
  });

  it('is not mentioned if both instances show the forced value, and the archive has the one of a new project', () => {
    expect(differing({ source: shown(true), archive: archive(false), target: shown(true) })).toEqual(nothing);
    const pushes = { approvals: { reset_approvals_on_push: true } };
    const changed = archiveWith({ project: { reset_approvals_on_push: false } });
    expect(differing({ source: pushes, archive: changed, target: pushes })).toEqual({
      ...nothing,
      declared: [expect.stringMatching(/target may decide.*reset_approvals_on_push is true and was false/)],
    });
  });

  it('is a loss of the import if the archive has the value of the source', () => {
    const sides = { source: shown(true), archive: archive(true), target: shown(false) };
    expect(differing(sides).settings).toMatchObject([{ expected: 'true', lost: 'on-import' }]);
  });

  it.each([
    ['merge_requests_author_approval', true],
    ['reset_approvals_on_push', false],
  ])('is a loss of the export if the source shows a value that none forces: %s is %s', (name, value) => {
    const approvals = (is: boolean) => ({ approvals: { [name]: is } });
    for (const columns of [{}, { [name]: !value }]) {
      const sides = { source: approvals(value), target: approvals(!value) };
      expect(differing({ ...sides, archive: archiveWith({ project: columns }) })).toMatchObject({
        ...{ settings: [{ attribute: `approvals.${name}`, lost: 'on-export' }], declared: [] },
      });
    }
  });
});

it('a password for approvals may be off because the instance has no passwords', () => {
  const shown = (isOn: boolean) => ({ approvals: { require_password_to_approve: isOn } });
  const archive = archiveWith({ project: { require_password_to_approve: true } });
  const onTarget = differing({ source: shown(true), archive, target: shown(false) });
  expect(onTarget).toEqual({
    ...nothing,
    declared: [expect.stringMatching(/target may decide.*require_password_to_approve is false and was true/)],
  });
  expect(differing({ source: shown(false), archive, target: shown(true) })).toEqual({
    ...nothing,
    declared: [expect.stringMatching(/^The source may force.*require_password_to_approve/)],
  });
});
