// SPDX-License-Identifier: GPL-2.0
/*
 * rig_target: the accounts of rig's kernel patches, for a kernel that nobody
 * patched. Hangs on the tracepoints irq_disable and irq_enable, which a kernel
 * has that was built with CONFIG_IRQSOFF_TRACER or another user of
 * CONFIG_TRACE_IRQFLAGS; on any other there is /proc/printk_test alone.
 */
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "rig_target.h"

#define COST_SECTIONS	64
#define COST_ROUNDS	64

static notrace void on_irq_disable(void *unused, unsigned long ip, unsigned long parent)
{
	rig_marker_set(1);
	rig_section_begin(parent ?: ip);
}

static notrace void on_irq_enable(void *unused, unsigned long ip, unsigned long parent)
{
	rig_section_end();
	rig_marker_set(0);
}

static notrace void on_irq_handler(void *unused, int irq, struct irqaction *action)
{
	rig_section_handler(irq, action);
}

/* The order is that of attaching; the edges come last. */
static struct hook {
	const char		*name;
	void			*probe;
	struct tracepoint	*point;
} hooks[] = {
	{ .name = "irq_handler_entry",	.probe = on_irq_handler },
	{ .name = "irq_enable",		.probe = on_irq_enable },
	{ .name = "irq_disable",	.probe = on_irq_disable },
};

static bool attached;

static void find_hook(struct tracepoint *point, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!strcmp(point->name, hooks[i].name))
			hooks[i].point = point;
	}
}

static bool found_hooks(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(find_hook, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!hooks[i].point)
			return false;
	}
	return true;
}

static void detach(unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(hooks[nr].point, hooks[nr].probe, NULL);
	/* No probe runs any more behind this. */
	tracepoint_synchronize_unregister();
}

static int attach(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = tracepoint_probe_register(hooks[i].point, hooks[i].probe, NULL);
		if (err) {
			detach(i);
			return err;
		}
	}
	attached = true;
	return 0;
}

u64 rig_clock_step(void)
{
	u64 first = rig_clock(), last = first, step = U64_MAX;
	unsigned int changes = 0, reads;

	/* At most two steps or 20 ms, whichever is longer. */
	for (reads = 0; reads < 10000000 && changes < 1000; reads++) {
		u64 now = rig_clock();

		if (now == last)
			continue;
		step = min(step, now - last);
		last = now;
		if (++changes >= 2 && now - first > 20 * NSEC_PER_MSEC)
			break;
	}
	return changes ? step : 0;
}

/* Time for COST_SECTIONS empty sections, least disturbed of COST_ROUNDS. */
static u64 __init time_sections(void)
{
	u64 best = U64_MAX;
	unsigned long flags;
	int round, i;

	for (round = 0; round < COST_ROUNDS; round++) {
		u64 start = rig_clock();

		for (i = 0; i < COST_SECTIONS; i++) {
			local_irq_save(flags);
			local_irq_restore(flags);
		}
		best = min(best, rig_clock() - start);
	}
	return best;
}

static int __init start_recording(void)
{
	u64 idle, busy;
	int err;

	if (!found_hooks()) {
		pr_info("rig_target: this kernel lacks the irq_disable and irq_enable tracepoints (CONFIG_IRQSOFF_TRACER): /proc/printk_test alone is offered\n");
		return 0;
	}
	idle = time_sections();
	err = attach();
	if (err)
		return err;
	busy = time_sections();
	rig_sections_reset();
	err = rig_latency_files_init(div_u64(busy > idle ? busy - idle : 0, COST_SECTIONS));
	if (!err) {
		err = rig_marker_init();
		if (err)
			rig_latency_files_exit();
	}
	if (err)
		detach(ARRAY_SIZE(hooks));
	return err;
}

static void stop_recording(void)
{
	if (!attached)
		return;
	detach(ARRAY_SIZE(hooks));
	rig_marker_exit();
	rig_latency_files_exit();
}

static int __init rig_target_init(void)
{
	int err = start_recording();

	if (err)
		return err;
	err = rig_printk_test_init();
	if (err)
		stop_recording();
	return err;
}

static void __exit rig_target_exit(void)
{
	rig_printk_test_exit();
	stop_recording();
}

module_init(rig_target_init);
module_exit(rig_target_exit);
MODULE_DESCRIPTION("IRQ-off accounts and a printk stimulus for rig");
MODULE_LICENSE("GPL");
