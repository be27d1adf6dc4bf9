#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
"""Each difference between two readings is seen, and none where there is none."""
import copy
import unittest

import compare


def image(arch='80', section='.nv_fatbin', kind='sass', **fields):
    kernel = {'name': 'k', 'registers': 10, 'stack': 0, 'shared': 0, 'constant': 360, **fields}
    return {'section': section, 'kind': kind, 'arch': arch, 'kernels': [kernel]}


def dumped(arch='80', kind='elf', **fields):
    return [kind, arch, {'k': {'registers': 10, 'stack': 0, 'shared': 0, 'constant': 360, **fields}}]


def compared(ours, theirs):
    total = compare.Comparison()
    total.compare_file('f', ours, theirs)
    return total


class Differences(unittest.TestCase):
    def expect(self, ours, theirs, part):
        total = compared(ours, theirs)
        self.assertEqual(len(total.differences), 1, total.differences)
        self.assertIn(part, total.differences[0])

    def test_the_same_is_the_same(self):
        total = compared([image()], [dumped()])
        self.assertEqual((total.differences, total.images, total.kernels), ([], 1, 1))

    def test_each_field_counts(self):
        for field in compare.FIELDS.values():
            self.expect([image()], [dumped(**{field: 7})], f'{field} is')

    def test_archs_and_suffixes_count(self):
        self.expect([image('80')], [dumped('86')], 'cuobjdump says 86')
        self.expect([image('90')], [dumped('90a')], 'cuobjdump says 90a')
        self.expect([image('90a')], [dumped('90')], 'cuobjdump says 90')

    def test_names_read_fast_must_be_the_same(self):
        for names, differences in (({'k': {'80'}}, 0), ({}, 1), ({'k': {'80', '90'}}, 1), ({'k': {'80'}, 'l': {'80'}}, 1)):
            total = compare.Comparison()
            total.compare_names('f', names, [image(), image('90', kind='ptx')])
            self.assertEqual(len(total.differences), differences, names)

    def test_audits_must_say_the_same_with_every_byte(self):
        def audit(verdict, kernels):
            return {'verdict': verdict, 'files': [{'images': [{'kernels': kernels}]}]}
        for verdict, kernels, differences in (('native', 3, 0), ('native', None, 0), ('native', 2, 1), ('missing', 3, 1)):
            total = compare.Comparison()
            total.compare_audits('f', [audit(verdict, kernels)], [audit('native', 3)])
            self.assertEqual(len(total.differences), differences, (verdict, kernels))

    def test_the_dropped_f_is_explained(self):
        total = compared([image('100f')], [dumped('100')])
        self.assertEqual((total.differences, total.explained['suffix dropped']), ([], 1))

    def test_images_must_be_as_many(self):
        self.expect([image(), image('90')], [dumped()], '2 sass images')
        self.expect([image(kind='ptx')], [], '1 ptx images')

    def test_kernels_of_ours_must_be_known(self):
        ours = copy.deepcopy(image())
        ours['kernels'].append({'name': 'invented'})
        self.expect([ours], [dumped()], 'invented')

    def test_a_stack_that_is_not_recorded_is_explained_only_as_zero(self):
        ours = image()
        del ours['kernels'][0]['stack']
        self.assertEqual(compared([ours], [dumped()]).explained['not recorded'], 1)
        self.expect([ours], [dumped(stack=8)], 'stack is None')

    def test_sections_that_are_not_searched_are_counted(self):
        total = compared([image(), image(section='.rodata')], [dumped()])
        self.assertEqual((total.differences, total.explained['not seen by cuobjdump']), ([], 1))


if __name__ == '__main__':
    unittest.main()
